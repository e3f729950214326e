import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { FieldError } from '../../domain/errors.js';
import { closeSchema } from './close-schema.js';
import type { Route } from './define-route.js';
import { fieldErrors } from './field-errors.js';
import { addFormatsTo } from './formats.js';
import { HttpProblem } from './http-problem.js';
import { NamedSchemas } from './named-schemas.js';
import { unstorableText } from './unstorable-text.js';

/** A route's schemas, compiled. Each takes what came in and returns it typed as declared, or throws. */
export interface RequestValidation {
  params(raw: Record<string, string>): unknown;
  query(raw: Record<string, unknown>): unknown;
  body(raw: unknown): unknown;
}

const options = { allErrors: true, useDefaults: true, strictTypes: false, strictTuples: false } as const;
const text = withFormats(new Ajv2020({ ...options, coerceTypes: 'array' }));
const json = withFormats(new Ajv2020({ ...options, allowUnionTypes: true }));
const answers = withFormats(new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false }));

/** Compiles what a route takes. Called once per route, at boot: a schema that is wrong keeps the api from starting. */
export function compileRequest(route: Route): RequestValidation {
  const params = compile(text, route.params);
  const query = route.query === undefined ? undefined : compile(text, route.query);
  const body = route.body === undefined ? undefined : compile(json, requestBodySchema(route, route.body));
  return {
    params(raw) {
      if (Object.entries(raw).some(([name, value]) => name.endsWith('_id') && isImpossibleId(value))) {
        throw new HttpProblem(404, 'not_found', 'Not found.');
      }
      return check(params, { ...raw });
    },
    query: (raw) => (query === undefined ? {} : check(query, { ...raw })),
    body: (raw) => (body === undefined ? undefined : check(body, raw)),
  };
}

/** The schema of a body as it is enforced: closed, except for forms, whose senders add fields as they like. */
export function requestBodySchema(route: Pick<Route, 'consumes'>, schema: TSchema): TSchema {
  return route.consumes === 'form' ? schema : closeSchema(schema);
}

/** Compiles what a route answers: a function that tells what is not as declared, unknown fields included. */
export function compileResponse(route: Route): (answer: unknown) => FieldError[] {
  const { schema } = route.response;
  if (schema === undefined) return () => [];
  const validate = compile(answers, closeSchema(schema));
  return (answer) => (validate(answer) ? [] : fieldErrors(validate.errors ?? []));
}

/** Compiles a schema that may name parts of itself. */
function compile(ajv: Ajv2020, schema: TSchema): ValidateFunction {
  const names = new NamedSchemas('#/$defs/', { collectAll: false });
  const whole = names.refer(schema);
  return ajv.compile({ ...whole, $defs: names.schemas });
}

function check(validate: ValidateFunction, value: unknown): unknown {
  const unstorable = unstorableText(value);
  if (unstorable.length > 0) throw HttpProblem.invalid(unstorable);
  if (!validate(value)) throw HttpProblem.invalid(fieldErrors(validate.errors ?? []));
  return value;
}

/** An integer, but none that was ever given to a row: there is no such thing, rather than something wrong. */
function isImpossibleId(value: string): boolean {
  if (!/^-?\d+$/.test(value)) return false;
  const id = Number(value);
  return id < 1 || !Number.isSafeInteger(id);
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormatsTo(ajv);
  return ajv;
}
