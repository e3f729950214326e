import type { TSchema } from 'typebox';

/** A JSON Schema as a plain object: values by keyword. */
type Schema = Record<string, unknown>;

const byName = ['properties', 'patternProperties', '$defs'];
const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const lists = ['anyOf', 'oneOf', 'prefixItems'];

/**
 * Returns the schema with every object closed that does not declare otherwise, so that unknown fields are refused
 * without each declaration repeating it. A composed schema (`allOf`) is closed as a whole. Fields with a default become
 * optional.
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
  return copy.type === 'object' && !says ? { ...copy, additionalProperties: false } : copy;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(schemas: Schema, change: (schema: Schema) => Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? change(schema) : schema]),
  );
}
