import type { ErrorObject } from 'ajv/dist/2020.js';
import { type FieldError, maxErrorsListed } from '../../../domain/lib/errors.js';
import { patternMessage } from './pattern-forms.js';

/**
 * Converts ajv's errors to JSON pointers and messages, which never quote a value. `belongsTo`: the fields of objects in a
 * body, by pointer, with the field that holds the object, for a caller who puts them beside it.
 */
export function fieldErrors(
  errors: readonly ErrorObject[],
  kind: 'field' | 'parameter' = 'field',
  belongsTo: ReadonlyMap<string, string> = new Map(),
): FieldError[] {
  const told = new Map<string, FieldError>();
  for (const error of withoutAlternatives(errors)) {
    const pointer = pointerOf(error);
    const owner = isUnknown(error) ? belongsTo.get(pointer) : undefined;
    const message = `${messageOf(error, kind)}${owner === undefined ? '' : `; it belongs into ${owner}`}`;
    const field = { pointer, message };
    told.set(`${field.pointer} ${field.message}`, field);
    if (told.size === maxErrorsListed) break;
  }
  return [...told.values()];
}

function isUnknown({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
}

/** One segment of a JSON pointer (RFC 6901, section 3). */
export function pointerSegment(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function pointerOf({ instancePath, params }: ErrorObject): string {
  const name: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  return typeof name === 'string' ? instancePath + pointerSegment(name) : instancePath;
}

/** An error. If it says that no alternative fits, `inside` holds the errors of the alternatives. */
interface Told {
  error: ErrorObject;
  inside: ErrorObject[];
}

/**
 * For a value that fits no alternative, ajv reports the errors of all. Keeps those of the alternative that was probably
 * meant; if none can be recognised, lists all allowed values or types.
 */
function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const told = gather(errors);
  return [
    ...told.filter(({ error }) => !isChoice(error)).map(({ error }) => error),
    ...told.filter(({ error }) => isChoice(error)).flatMap(({ error, inside }) => narrow(error, inside)),
  ];
}

/**
 * Returns the outermost errors, with the errors inside them. Ajv reports that no alternative fits directly after the
 * errors of the alternatives, so it is enough to look back, and the cost is linear in the number of errors.
 */
function gather(errors: readonly ErrorObject[]): Told[] {
  const told: Told[] = [];
  for (const error of errors) {
    if (!isChoice(error)) {
      told.push({ error, inside: [] });
      continue;
    }
    let start = told.length;
    while (start > 0 && isAtOrBelow(told[start - 1], error)) start -= 1;
    const inside: ErrorObject[] = [];
    for (const before of told.splice(start)) {
      if (!before.error.schemaPath.startsWith(`${error.schemaPath}/`)) told.push(before);
      else for (const one of [...before.inside, before.error]) inside.push(one);
    }
    told.push({ error, inside });
  }
  return told;
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

function isAtOrBelow(told: Told | undefined, { instancePath }: ErrorObject): boolean {
  const path = told?.error.instancePath;
  return path === instancePath || path?.startsWith(`${instancePath}/`) === true;
}

function narrow(choice: ErrorObject, inside: ErrorObject[]): ErrorObject[] {
  if (inside.length === 0) return [choice];
  const alternatives = new Map<string, ErrorObject[]>();
  for (const error of inside) {
    const alternative = error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? '';
    const own = alternatives.get(alternative);
    if (own === undefined) alternatives.set(alternative, [error]);
    else own.push(error);
  }
  const meant = [...alternatives.values()]
    .filter((own) => !own.some((error) => isOtherKind(error, choice.instancePath)))
    .sort((one, other) => mismatches(one) - mismatches(other));
  if (meant[0] !== undefined) return withoutAlternatives(meant[0]);
  const allowed = inside.filter((error) => isOtherKind(error, choice.instancePath));
  const values = allowed.some(({ keyword }) => keyword !== 'type');
  const params = { allowed: [...new Set(allowed.flatMap(expectation))] };
  return [{ ...choice, keyword: values ? 'allowedValues' : 'allowedTypes', params }];
}

function isOtherKind({ instancePath, keyword }: ErrorObject, at: string): boolean {
  return instancePath === at && ['type', 'const', 'enum'].includes(keyword);
}

/** A wrong constant outweighs any number of other errors, because constants discriminate between alternatives. */
function mismatches(errors: ErrorObject[]): number {
  return errors.reduce((sum, { keyword }) => sum + (keyword === 'const' ? 1_000 : 1), 0);
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const formats: Record<string, string> = {
  date: 'a date (YYYY-MM-DD)',
  'date-time': 'a time (ISO 8601 with a time zone)',
  email: 'an email address',
  uuid: 'a UUID',
  uri: 'a URL',
};

function expectation({ keyword, params }: ErrorObject): string[] {
  if (keyword === 'const') return [String(params.allowedValue)];
  if (keyword === 'enum') return (params.allowedValues as unknown[]).map(String);
  return [params.type].flat().map((type) => kinds[type] ?? type);
}

function messageOf(error: ErrorObject, kind: 'field' | 'parameter'): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `is not a known ${kind}`;
    case 'type':
    case 'const':
      return `must be ${expectation(error).join(' or ')}`;
    case 'enum':
      return `must be one of: ${expectation(error).join(', ')}`;
    case 'allowedTypes':
      return `must be ${(params.allowed as string[]).join(' or ')}`;
    case 'allowedValues':
      return `must be one of: ${(params.allowed as string[]).join(', ')}`;
    case 'format':
      return `must be ${formats[params.format] ?? `a ${params.format}`}`;
    case 'pattern':
      return patternMessage(params.pattern);
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`;
    case 'minItems':
      return `must have at least ${params.limit} items`;
    case 'maxItems':
      return `must have at most ${params.limit} items`;
    case 'uniqueItems':
      return 'must not repeat an item';
    case 'minProperties':
      return `must have at least ${params.limit} fields`;
    case 'maxProperties':
      return `must have at most ${params.limit} fields`;
    default:
      return error.message ?? 'is not acceptable';
  }
}
