import type { JsonSchema } from '../../lib/json-schema.js';

/** The limits on the schema of a tool's arguments, as a model is told it. */
export const maxSchemaBytes = 6_144;
const maxDepth = 10;
const maxParts = 400;

/**
 * Reduces the schema that a remote server has written to keywords that every model takes and that cost little to check: no patterns,
 * no references. The result allows more than the schema does; the server checks the arguments itself.
 * @returns null if the schema cannot be told: it is too large or too deep, or has names that models do not take
 */
export function toldSchema(schema: JsonSchema): JsonSchema | null {
  try {
    const told = new Reduction(schema).told();
    return Buffer.byteLength(JSON.stringify(told)) > maxSchemaBytes ? null : told;
  } catch (error) {
    if (error instanceof Untellable) return null;
    throw error;
  }
}

class Untellable extends Error {
  override readonly name = 'Untellable';
}

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const formats = new Set(['date', 'date-time', 'time', 'uuid']);
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const nameForm = /^[A-Za-z0-9_.-]{1,64}$/;

class Reduction {
  readonly #root: JsonSchema;
  #parts = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  told(): JsonSchema {
    const { anyOf: _, ...told } = this.#reduce(this.#root, 0);
    return { properties: {}, ...told, type: 'object' };
  }

  #reduce(given: unknown, depth: number): JsonSchema {
    this.#parts += 1;
    if (depth > maxDepth || this.#parts > maxParts) throw new Untellable();
    const schema = this.#resolve(given);
    if (!isObject(schema)) return {};
    const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      const told = this.#keyword(keyword, value, schema, depth + 1);
      return told === undefined ? [] : [told];
    });
    const reduced = Object.fromEntries(entries);
    // Models are not told of lists without a type of their items.
    return reduced.type === 'array' && reduced.items === undefined ? { ...reduced, items: {} } : reduced;
  }

  #keyword(
    keyword: string,
    value: unknown,
    schema: JsonSchema,
    depth: number,
  ): [string, unknown] | undefined {
    if (keyword === 'description') return typeof value === 'string' ? [keyword, asText(value)] : undefined;
    if (keyword === 'type') return isType(value) ? [keyword, value] : undefined;
    if (keyword === 'format') return formats.has(String(value)) ? [keyword, value] : undefined;
    if (keyword === 'enum') return isScalars(value) ? [keyword, value] : undefined;
    if (keyword === 'const') return isScalars([value]) ? ['enum', [value]] : undefined;
    if (counts.includes(keyword)) {
      return Number.isSafeInteger(value) && Number(value) >= 0 ? [keyword, value] : undefined;
    }
    if (numbers.includes(keyword)) return typeof value === 'number' ? [keyword, value] : undefined;
    if (keyword === 'items') return [keyword, this.#reduce(value, depth)];
    if (keyword === 'properties') return [keyword, this.#properties(value, depth)];
    if (keyword === 'additionalProperties') return [keyword, value !== false];
    if (keyword === 'required')
      return isObject(schema.properties) ? required(value, schema.properties) : undefined;
    if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value) && value.length > 0) {
      return ['anyOf', value.map((one) => this.#reduce(one, depth))];
    }
    return undefined;
  }

  #properties(value: unknown, depth: number): JsonSchema {
    if (!isObject(value)) return {};
    return Object.fromEntries(
      Object.entries(value).map(([name, property]) => {
        if (!nameForm.test(name) || name === '__proto__') throw new Untellable();
        return [name, this.#reduce(property, depth)];
      }),
    );
  }

  /** Puts a definition of the schema in the place of its name; one that names itself is cut off by the depth. */
  #resolve(given: unknown): unknown {
    if (!isObject(given)) return given;
    const { $ref: reference, allOf, ...rest } = given;
    if (typeof reference === 'string') return { ...this.#named(reference), ...rest };
    if (Array.isArray(allOf) && allOf.length === 1 && isObject(allOf[0])) {
      const [only] = allOf;
      return { ...(typeof only.$ref === 'string' ? this.#named(only.$ref) : only), ...rest };
    }
    return given;
  }

  #named(reference: string): JsonSchema {
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(reference) ?? [];
    const places = this.#root[place];
    const found = isObject(places) && Object.hasOwn(places, name) ? places[name] : undefined;
    return isObject(found) ? found : {};
  }
}

function required(value: unknown, properties: JsonSchema): [string, unknown] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
  return ['required', [...new Set(names)]];
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isType(value: unknown): boolean {
  const listed = Array.isArray(value) ? value : [value];
  return listed.length > 0 && new Set(listed).size === listed.length && listed.every((one) => types.has(one));
}

function isScalars(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isScalar(one));
}

/** Texts with characters that are not seen are none: the database does not take all of them. */
function isScalar(value: unknown): boolean {
  if (typeof value === 'string') return asText(value) === value;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

/** Without characters that are not seen: a person who reads a text has to see all that a model reads. */
export function asText(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '');
}
