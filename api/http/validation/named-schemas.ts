import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

/**
 * Collects schemas that refer to themselves (`Type.Cyclic`) and, for the OpenAPI document, all schemas with a name
 * (`$id`). Each is stored once, and `$ref` replaces it elsewhere.
 */
export class NamedSchemas {
  readonly schemas: Record<string, object> = {};
  readonly #prefix: string;
  readonly #collectAll: boolean;

  /** @param prefix location of the collected schemas, such as `#/$defs/` */
  constructor(prefix: string, options: { collectAll: boolean }) {
    this.#prefix = prefix;
    this.#collectAll = options.collectAll;
  }

  /** Returns the schema as plain JSON, with named parts replaced. @throws when two schemas have the same name */
  refer(schema: object): object {
    return this.#replace(JSON.parse(JSON.stringify(schema)), true) as object;
  }

  #replace(value: unknown, isSchema: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#replace(item, true));
    if (typeof value !== 'object' || value === null) return value;
    const { $defs = {}, $id, ...own } = value as Json;
    if (!isSchema) return mapValues(value as Json, (inner) => this.#replace(inner, true));
    for (const [name, definition] of Object.entries($defs as Json)) {
      const { $id: _, ...rest } = definition as Json;
      this.#collect(name, this.#replace(rest, true) as Json);
    }
    const schema = Object.fromEntries(
      Object.entries(own).map(([keyword, inner]) => [
        keyword,
        keyword === '$ref' ? this.#reference(String(inner)) : this.#replace(inner, !isByName(keyword)),
      ]),
    );
    return this.#collectAll && typeof $id === 'string'
      ? this.#collect(this.#freeName($id, schema), schema)
      : schema;
  }

  /** If a request's closed schema and an answer's open one have the same name, the request's is called `…Input`. */
  #freeName(name: string, schema: Json): string {
    const known = this.schemas[name];
    return known === undefined || isDeepStrictEqual(known, schema) ? name : `${name}Input`;
  }

  #collect(name: string, schema: Json): object {
    const known = this.schemas[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two schemas are called ${name}.`);
    }
    this.schemas[name] = schema;
    return { $ref: this.#reference(name) };
  }

  #reference(name: string): string {
    return name.startsWith('#') ? name : this.#prefix + name;
  }
}

/** Whether a keyword's value is a map of schemas by name (where `$id` or `$ref` would be a field) and not a schema. */
function isByName(keyword: string): boolean {
  return keyword === 'properties' || keyword === 'patternProperties';
}

function mapValues(values: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
