import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FieldError } from './errors.js';

/** A JSON Schema (2020-12) as a plain object. */
export type JsonSchema = Record<string, unknown>;

// `verbose`: errors know the schema that refuses, and so the fields that it knows.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, verbose: true });
addFormats.default(ajv);

const maxCompiled = 200;
const compiled = new Map<string, { schema: JsonSchema; validate: ValidateFunction }>();

/** `of` names the value in the message about an unknown field: `a wait`. */
export function checkBySchema(schema: JsonSchema, value: unknown, of?: string): FieldError[] {
  const validate = compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => toFieldError(error, of));
}

/** Caches schemas by their text, because tools are built anew for every turn. The oldest entry is evicted first. */
function compile(schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known) return known.validate;
  const oldest = compiled.size >= maxCompiled ? compiled.entries().next().value : undefined;
  if (oldest) {
    compiled.delete(oldest[0]);
    ajv.removeSchema(oldest[1].schema);
  }
  const validate = ajv.compile(schema);
  compiled.set(key, { schema, validate });
  return validate;
}

/** Points to the field in question, even if the validator points to the object that contains it. */
function toFieldError(error: ErrorObject, of: string | undefined): FieldError {
  switch (error.keyword) {
    case 'required':
      return { pointer: below(error, error.params.missingProperty), message: 'is required' };
    case 'additionalProperties':
      return { pointer: below(error, error.params.additionalProperty), message: unknownField(error, of) };
    case 'enum':
      return { pointer: error.instancePath, message: `must be one of ${list(error.params.allowedValues)}` };
    default:
      return { pointer: error.instancePath, message: error.message ?? 'is not valid' };
  }
}

/** Lists the fields of the schema, which its author needs. */
function unknownField({ instancePath, parentSchema }: ErrorObject, of: string | undefined): string {
  const owner = of === undefined || instancePath !== '' ? '' : ` of ${of}`;
  const known = Object.keys(parentSchema?.properties ?? {});
  return `is not a known field${owner}; known: ${known.length === 0 ? 'none' : list(known)}`;
}

function below(error: ErrorObject, property: unknown): string {
  return `${error.instancePath}/${escapePointer(String(property))}`;
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.slice(0, 50).join(', ') : String(values);
}

/** Escapes a token of a JSON pointer (RFC 6901). */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The opposite of `escapePointer`. */
export function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
