import { createRequire } from 'node:module';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import Type, { type TObject, type TSchema } from 'typebox';
import type { FieldError } from '../../../domain/lib/errors.js';
import { memoize } from '../memoize.js';
import { HttpProblem } from '../problem.js';
import type { Route } from '../route.js';
import { fieldErrors, pointerSegment } from './field-errors.js';
import { NamedSchemas } from './named-schemas.js';
import { closeSchema, dropAbsentNulls, isNullAt } from './schema-rules.js';
import { unstorableText } from './unstorable-text.js';

// ajv-formats is CommonJS, but its type declarations do not say so.
const addFormats: FormatsPlugin = createRequire(import.meta.url)('ajv-formats');

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;

const dateTimeForm =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the errors of a value; coerces it and fills in defaults. */
type ErrorsIn = (value: unknown) => readonly ErrorObject[];

/** A route's compiled schemas. Each function returns the input typed as declared, or throws. */
export interface RequestValidation {
  params(raw: Record<string, string>): unknown;
  query(raw: Record<string, unknown>): unknown;
  body(raw: unknown): unknown;
}

const options = { useDefaults: true, strictTypes: false, strictTuples: false } as const;
const text = withFormats(new Ajv2020({ ...options, allErrors: true, coerceTypes: 'array' }));
const json = withFormats(new Ajv2020({ ...options, allowUnionTypes: true }));
const jsonToTheEnd = withFormats(new Ajv2020({ ...options, allErrors: true, allowUnionTypes: true }));
const answers = withFormats(new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false }));

const integerForm = /^-?\d+$/;

/** Compiles the schemas of a route's request, at boot: an invalid schema keeps the api from starting. */
export const compileRequest = memoize((route: Route): RequestValidation => {
  const params = compileText(route.params);
  const ids = Object.keys(route.params.properties).filter(
    (name) => (route.params.properties[name] as { type?: unknown }).type === 'integer',
  );
  const query = compileText(querySchema(route));
  const body = route.body === undefined ? undefined : compileBody(route, route.body);
  const belongsTo = route.body === undefined ? undefined : fieldsInside(route.body);
  return {
    params(raw) {
      if (ids.some((name) => isImpossibleId(raw[name] ?? ''))) {
        throw new HttpProblem(404, 'not_found', 'Not found.');
      }
      return check(params, { ...raw }, 'path');
    },
    query: (raw) => check(query, { ...raw }, 'query'),
    body: (raw) => (body === undefined ? undefined : check(body, raw, 'body', belongsTo)),
  };
});

/** The schema of a query as it is enforced: closed, except for the carrier and identity providers, which may add parameters. */
function querySchema({ access, response, query = Type.Object({}) }: Route): TObject {
  return access.kind === 'carrier' || response.redirect !== undefined
    ? query
    : (closeSchema(query) as TObject);
}

/** The schema of a body as it is enforced: closed, except for forms, whose senders may add fields. */
export function requestBodySchema(route: Pick<Route, 'consumes'>, schema: TSchema): TSchema {
  return route.consumes === 'form' ? schema : closeSchema(schema);
}

/** Compiles the schema of a route's answer into a function that returns all deviations. */
export function compileResponse(route: Route): (answer: unknown) => FieldError[] {
  const { schema } = route.response;
  return schema === undefined ? () => [] : compileAnswer(schema);
}

/** As `compileResponse`, for a single schema. */
export const compileAnswer = memoize((schema: TSchema): ((answer: unknown) => FieldError[]) => {
  const errorsIn = compile(answers, closeSchema(schema));
  const names = new NamedSchemas('', { collectAll: false });
  const open = names.refer(schema);
  return (answer) => {
    const value: unknown = JSON.parse(JSON.stringify(answer) ?? 'null');
    dropAbsentNulls(open, value, names.schemas as Record<string, Record<string, unknown>>);
    return fieldErrors(errorsIn(value));
  };
});

/** Parameters are text. Ajv would accept `0x10`, `1e3` and ` 7 ` as integers; only decimal digits are allowed here. */
function compileText(schema: TObject): ErrorsIn {
  const errorsIn = compile(text, schema);
  const integers = Object.keys(schema.properties).filter((name) => holdsIntegers(schema.properties[name]));
  return (value) => {
    const given = { ...(value as Record<string, unknown>) };
    const misspelt = integers.flatMap((name) => misspeltIntegers(name, given[name]));
    const others = errorsIn(value)
      .map((error) => pointingAt(given, error))
      .filter((error) => misspelt.every(({ instancePath }) => instancePath !== error.instancePath));
    return [...misspelt, ...others];
  };
}

/** An integer parameter, or a repeatable parameter with integer values. */
function holdsIntegers(
  schema: (TSchema & { type?: unknown; items?: { type?: unknown } }) | undefined,
): boolean {
  return schema?.type === 'integer' || (schema?.type === 'array' && schema.items?.type === 'integer');
}

function misspeltIntegers(name: string, given: unknown): ErrorObject[] {
  const at = pointerSegment(name);
  if (!Array.isArray(given)) return isMisspelt(given) ? [notAnInteger(at)] : [];
  return given.flatMap((item, index) => (isMisspelt(item) ? [notAnInteger(`${at}/${index}`)] : []));
}

/** For ajv, a repeatable parameter that is given once is a list with one item; the error points to the parameter. */
function pointingAt(given: Record<string, unknown>, error: ErrorObject): ErrorObject {
  const [, name] = /^\/([^/]+)\/0$/.exec(error.instancePath) ?? [];
  if (name === undefined || Array.isArray(given[name])) return error;
  return { ...error, instancePath: pointerSegment(name) };
}

function isMisspelt(given: unknown): boolean {
  return typeof given === 'string' && !integerForm.test(given);
}

function notAnInteger(instancePath: string): ErrorObject {
  return { keyword: 'type', instancePath, schemaPath: '', params: { type: 'integer' } };
}

/**
 * Compiles the schema of a body. As a mebibyte may have a million errors, the first pass stops at the first one (and
 * checks the length of a list before its items); only a body of ordinary size is validated again to report all.
 */
function compileBody(route: Route, declared: TSchema): ErrorsIn {
  const schema = requestBodySchema(route, declared);
  // The fields beside a file are text, as parameters are.
  if (route.consumes === 'multipart') return compileText(schema as TObject);
  const first = compile(json, schema);
  const all = compile(jsonToTheEnd, schema);
  // Nulls in place of absent fields are removed only if validation fails.
  const withoutAbsentNulls = (value: unknown) => {
    const errors = first(value);
    const mayPass = errors.some(({ instancePath }) => isNullAt(value, instancePath));
    if (!mayPass && (errors.length === 0 || !isWithinComplexityLimit(value))) return errors;
    dropAbsentNulls(schema, value);
    return first(value);
  };
  return (value) => {
    const errors = withoutAbsentNulls(value);
    return errors.length > 0 && isWithinComplexityLimit(value) ? all(value) : errors;
  };
}

/** Compiles a schema that may refer to parts of itself. */
function compile(ajv: Ajv2020, schema: TSchema): ErrorsIn {
  const names = new NamedSchemas('#/$defs/', { collectAll: false });
  const validate = ajv.compile({ ...names.refer(schema), $defs: names.schemas });
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

function check(
  errorsIn: ErrorsIn,
  value: unknown,
  place: NonNullable<FieldError['in']>,
  belongsTo?: ReadonlyMap<string, string>,
): unknown {
  let errors = unstorableText(value);
  if (errors.length === 0) {
    errors = fieldErrors(errorsIn(value), place === 'query' ? 'parameter' : 'field', belongsTo);
  }
  if (errors.length === 0) return value;
  throw HttpProblem.invalid(errors.map((error) => ({ ...error, in: place })));
}

interface ObjectSchema {
  $ref?: string;
  $defs?: Record<string, ObjectSchema>;
  properties?: Record<string, ObjectSchema>;
}

/** The fields of the objects that stand in a body, by the pointer that they would have in the body itself. */
function fieldsInside(body: TSchema): Map<string, string> {
  const { properties = {} } = body as ObjectSchema;
  return new Map(
    Object.entries(properties).flatMap(([owner, schema]) => {
      const inside = schema.$ref === undefined ? schema : schema.$defs?.[schema.$ref];
      return Object.keys(inside?.properties ?? {}).map((name) => [pointerSegment(name), owner] as const);
    }),
  );
}

/** An integer that cannot be the id of any row: answered with 404 instead of a validation error. */
function isImpossibleId(value: string): boolean {
  if (!integerForm.test(value)) return false;
  const id = Number(value);
  return id < 1 || !Number.isSafeInteger(id);
}

const maxValues = 5_000;
const maxCharacters = 262_144;

/** Whether a parsed body is small enough to be checked for all of its errors. */
function isWithinComplexityLimit(value: unknown): boolean {
  let values = 0;
  let characters = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    values += 1;
    if (typeof next === 'string') characters += next.length;
    if (values + waiting.length > maxValues || characters > maxCharacters) return false;
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).slice(0, maxValues));
  }
  return true;
}

// A time zone offset can move an instant into a year that answers cannot represent.
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Adds the formats in use. Dates and UUIDs are stricter than in ajv-formats, so that PostgreSQL accepts every valid
 * value and answers can represent it (no year 0 or 10000, no leap second, no `urn:` prefix).
 */
function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats(ajv as never, ['email', 'uri']);
  ajv.addFormat('date', isDate);
  ajv.addFormat('date-time', (text: string) => {
    const date = dateTimeForm.exec(text)?.[1];
    const moment = Date.parse(text);
    return date !== undefined && isDate(date) && moment >= earliest && moment <= latest;
  });
  ajv.addFormat('uuid', uuidForm);
  return ajv;
}

function isDate(text: string): boolean {
  const match = dateForm.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}
