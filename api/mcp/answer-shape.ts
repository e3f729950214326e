import { NamedSchemas } from '../http/validation/named-schemas.js';

type Json = Readonly<Record<string, unknown>>;

/** What AI clients get of a route's answer. */
export interface AnswerShape {
  /** A JSON Schema that stands alone: fields, types and possible values, without texts and bounds. */
  schema: Json;
  /** The answer as an object: a list is its `items`. */
  of(answer: unknown): object;
}

/** The keywords by which a client can tell what comes. The others double the size of `tools/list`. */
const kept = ['$ref', 'type', 'const', 'enum', 'format', 'required', 'items', 'anyOf', 'properties'];

/**
 * The shape of answers with this schema.
 * @param dropped fields that are left out wherever the schema declares them; fields that people name themselves stay
 */
export function answerShape(declared: object, dropped: readonly string[] = []): AnswerShape {
  const names = new NamedSchemas('#/$defs/', { collectAll: false });
  const whole = names.refer(declared) as Json;
  const defs = names.schemas as Record<string, Json>;
  const bareDefs = Object.fromEntries(Object.entries(defs).map(([name, one]) => [name, bare(one, dropped)]));
  const schema = asObject(bare(whole, dropped));
  const without = (answer: unknown) =>
    dropped.length === 0 ? answer : strip(whole, answer, { dropped, defs });
  return {
    schema: Object.keys(defs).length === 0 ? schema : { ...schema, $defs: bareDefs },
    of(answer) {
      const shown = without(answer);
      return Array.isArray(shown) ? { items: shown } : (shown as object);
    },
  };
}

function bare(schema: Json, dropped: readonly string[]): Json {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isJson(value) ? bare(value, dropped) : value;
  };
  const copy: Record<string, unknown> = {};
  for (const keyword of kept) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (keyword === 'properties') {
      const fields = Object.entries(value as Json).filter(([name]) => !dropped.includes(name));
      copy.properties = Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
    } else if (keyword === 'required') {
      copy.required = (value as string[]).filter((name) => !dropped.includes(name));
    } else copy[keyword] = ['items', 'anyOf'].includes(keyword) ? inner(value) : value;
  }
  return copy;
}

function asObject(schema: Json): Json {
  if (schema.type === 'object') return schema;
  if (schema.type === 'array') return { type: 'object', properties: { items: schema }, required: ['items'] };
  const { anyOf } = schema;
  return { type: 'object', ...schema, ...(Array.isArray(anyOf) && { anyOf: anyOf.map(asObject) }) };
}

interface Stripping {
  dropped: readonly string[];
  defs: Readonly<Record<string, Json>>;
}

function strip(schema: Json, value: unknown, how: Stripping): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = partsFor(schema, value, how);
  if (Array.isArray(value)) {
    const items = parts.map((part) => part.items).find(isJson);
    return items === undefined ? value : value.map((item) => strip(items, item, how));
  }
  const declared: Json = Object.assign({}, ...parts.map(({ properties }) => properties));
  const left = Object.entries(value).filter(
    ([name]) => !(how.dropped.includes(name) && Object.hasOwn(declared, name)),
  );
  return Object.fromEntries(
    left.map(([name, field]) => {
      const known = Object.hasOwn(declared, name) ? declared[name] : undefined;
      return [name, isJson(known) ? strip(known, field, how) : field];
    }),
  );
}

/** The schema, what it refers to, and those of its alternatives that have the type of the value. */
function partsFor(schema: Json, value: object, how: Stripping): Json[] {
  const { $ref, anyOf } = schema;
  const meant = typeof $ref === 'string' ? how.defs[$ref.slice('#/$defs/'.length)] : undefined;
  const type = Array.isArray(value) ? 'array' : 'object';
  const alternatives = Array.isArray(anyOf) ? anyOf.filter(isJson) : [];
  return [...(meant === undefined ? [] : [meant]), ...alternatives]
    .flatMap((part) => partsFor(part, value, how))
    .concat(schema.type === type ? [schema] : []);
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
