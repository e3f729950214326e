import Type, { type TObject, type TObjectOptions, type TProperties, type TSchema } from 'typebox';

/** A JSON Schema as a plain object: values by keyword. */
type Schema = Record<string, unknown>;

const byName = ['properties', 'patternProperties', '$defs'];
const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const lists = ['anyOf', 'oneOf', 'prefixItems'];

const picked = Symbol('picked');

/** An object of an answer that is picked from a row: what the row has besides is left out. In others, tests refuse it. */
export function Picked<Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, [picked]: true } as TObjectOptions);
}

/**
 * Returns the schema with every object closed that does not declare otherwise, so that unknown fields are refused. A
 * composed schema (`allOf`) is closed as a whole. Fields with a default become optional.
 */
export function closeSchema(schema: TSchema): TSchema {
  return closed(schema as Schema);
}

function closed(schema: Schema): Schema {
  const copy = { ...schema };
  for (const keyword of byName) {
    if (isSchema(copy[keyword])) copy[keyword] = mapValues(copy[keyword], closed);
  }
  for (const keyword of single) {
    if (isSchema(copy[keyword])) copy[keyword] = closed(copy[keyword]);
  }
  for (const keyword of lists) {
    if (Array.isArray(copy[keyword])) copy[keyword] = copy[keyword].map(closed);
  }
  if (Array.isArray(copy.required) && isSchema(copy.properties)) {
    const { properties, required } = copy as { properties: Record<string, Schema>; required: string[] };
    copy.required = required.filter((name) => properties[name]?.default === undefined);
  }
  if (Array.isArray(copy.allOf)) return { ...copy, unevaluatedProperties: false };
  const says =
    'additionalProperties' in copy || 'unevaluatedProperties' in copy || 'patternProperties' in copy;
  return copy.type === 'object' && !says && !(picked in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(schemas: Schema, change: (schema: Schema) => Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? change(schema) : schema]),
  );
}

/** Removes `null` wherever it is the value of an optional field that does not allow it: typed clients send it. */
export function dropAbsentNulls(schema: unknown, value: unknown, known: Schema = {}): void {
  if (typeof value !== 'object' || value === null || !isSchema(schema)) return;
  const named = isSchema(schema.$defs) ? { ...known, ...schema.$defs } : known;
  for (const part of partsFor(schema, value, named)) {
    if (Array.isArray(value)) {
      for (const item of value) dropAbsentNulls(part.items, item, named);
      continue;
    }
    if (!isSchema(part.properties)) continue;
    const required = Array.isArray(part.required) ? part.required : [];
    const fields = value as Record<string, unknown>;
    for (const [name, declared] of Object.entries(part.properties)) {
      if (!Object.hasOwn(fields, name)) continue;
      if (fields[name] !== null) dropAbsentNulls(declared, fields[name], named);
      else if (!required.includes(name) && !mayBeNull(declared)) delete fields[name];
    }
  }
}

/** The schema and the schemas it is composed of; of alternatives, those that the value may be meant for. */
function partsFor(schema: Schema, value: object, named: Schema): Schema[] {
  const meant = typeof schema.$ref === 'string' ? named[schema.$ref] : undefined;
  const all = [...listOf(schema.allOf), ...listOf([meant])].flatMap((part) => partsFor(part, value, named));
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter((one) => mayBe(one, value));
  return [schema, ...all, ...alternatives.flatMap((part) => partsFor(part, value, named))];
}

/** Decides by the type, and by the constants that discriminate between alternatives. */
function mayBe(schema: Schema, value: object): boolean {
  const type = Array.isArray(value) ? 'array' : 'object';
  if (schema.type !== undefined && schema.type !== type) return false;
  if (!isSchema(schema.properties)) return true;
  return Object.entries(schema.properties).every(([name, declared]) => {
    const expected = isSchema(declared) ? declared.const : undefined;
    return expected === undefined || (value as Record<string, unknown>)[name] === expected;
  });
}

/** `allowsNull` for a request, in which a null for a whole object is a mistake that is told. */
function mayBeNull(schema: unknown): boolean {
  return allowsNull(schema) || (isSchema(schema) && schema.$ref !== undefined);
}

/** Whether null is one of the values of a schema. What is referred to is an object. */
export function allowsNull(schema: unknown): boolean {
  if (!isSchema(schema)) return true;
  if (schema.$ref !== undefined) return false;
  if (schema.const !== undefined) return schema.const === null;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (alternatives.length > 0) return alternatives.some(allowsNull);
  return schema.type === undefined ? schema.allOf === undefined : [schema.type].flat().includes('null');
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Whether the value at a JSON pointer is null. */
export function isNullAt(value: unknown, pointer: string): boolean {
  const names = pointer.split('/').slice(1);
  const found = names.reduce<unknown>((inner, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
      ? (inner as Record<string, unknown>)[key]
      : undefined;
  }, value);
  return found === null;
}
