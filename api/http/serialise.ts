import type { TSchema } from 'typebox';
import { memoize } from './memoize.js';
import type { Route } from './route.js';
import { NamedSchemas } from './validation/named-schemas.js';
import { allowsNull } from './validation/schema-rules.js';

/** Returns the JSON of an answer. */
export type Serialise = (answer: unknown) => string;

interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  format?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/**
 * Compiles the schema of an answer into the function that writes it: the declared fields in their order and no others, a
 * `Date` as ISO 8601, and no optional field that is null where the schema does not allow null.
 * @throws for a schema that it does not know, which a test looks for in all routes
 */
export const compileSerialiser = memoize((declared: TSchema): Serialise => {
  const names = new NamedSchemas('#/$defs/', { collectAll: false });
  const pick = new Picking(names.refer(declared), names.schemas).compile();
  return (answer) => JSON.stringify(pick(answer));
});

/** The serialiser of a route's answer, or of a line of it. */
export function serialiserOf({ response }: Route): Serialise {
  if (response.schema === undefined) return () => '';
  const isText = response.stream === undefined && response.contentType !== undefined;
  return isText ? String : compileSerialiser(response.schema);
}

/**
 * Generates the JavaScript of a function that picks from an answer what is to be written, because reading fields by
 * their names in code is faster than in a loop (docs/decisions/0267-answers-are-written-by-their-schemas.md).
 */
class Picking {
  readonly #schema: Schema;
  readonly #schemas: Record<string, Schema>;
  readonly #functions = new Map<string, string>();
  /** The alternatives that the generated code refers to by number. */
  readonly #alternatives: Schema[] = [];

  constructor(schema: Schema, schemas: Record<string, Schema>) {
    this.#schema = schema;
    this.#schemas = schemas;
  }

  compile(): (answer: unknown) => unknown {
    const main = this.#picker(this.#schema);
    if (main === undefined) return (answer) => answer;
    const functions = [...this.#functions].map(([name, body]) => `function ${name}(value) { ${body} }`);
    const make = new Function('time', 'fits', `${functions.join('\n')}\nreturn ${main};`);
    const fits = (place: number, value: unknown) => this.#fits(this.#alternatives[place] ?? {}, value);
    return make(time, fits);
  }

  /** The name of the function that picks from a value of the schema; undefined: all of it is written. */
  #picker(schema: Schema): string | undefined {
    for (const keyword of ['allOf', 'oneOf', 'prefixItems', 'if']) {
      if (keyword in schema) throw new Error(`The schema of an answer has ${keyword}.`);
    }
    if (schema.$ref !== undefined) return this.#ofReference(schema.$ref);
    if (schema.anyOf !== undefined) return this.#ofAlternatives(schema.anyOf);
    if (schema.properties !== undefined) return this.#ofObject(schema.properties, schema.required ?? []);
    if (schema.format === 'date-time') return 'time';
    const item = schema.items && this.#picker(schema.items);
    return item && this.#function(`return value === null ? null : value.map((item) => ${item}(item));`);
  }

  #function(body: string, name = `pick${this.#functions.size}`): string {
    this.#functions.set(name, body);
    return name;
  }

  /** Its name is known before its body is, as a schema may refer to itself. */
  #ofReference(ref: string): string {
    const name = `pickNamed${Object.keys(this.#schemas).indexOf(nameIn(ref))}`;
    if (this.#functions.has(name)) return name;
    this.#function('', name);
    const picker = this.#picker(this.#referred(ref));
    return this.#function(picker === undefined ? 'return value;' : `return ${picker}(value);`, name);
  }

  #referred(ref: string): Schema {
    const schema = this.#schemas[nameIn(ref)];
    if (schema === undefined) throw new Error(`There is no schema ${ref}.`);
    return schema;
  }

  #ofAlternatives(all: Schema[]): string | undefined {
    const pickers = all.map((schema) => ({ schema, picker: this.#picker(schema) }));
    if (pickers.every(({ picker }) => picker === undefined)) return undefined;
    const [only, ...others] = pickers.filter(({ schema }) => schema.type !== 'null');
    if (only !== undefined && others.length === 0) {
      return this.#function(`return value === null ? null : ${only.picker}(value);`);
    }
    const choices = pickers.map(({ schema, picker }) => {
      const place = this.#alternatives.push(schema) - 1;
      return `if (fits(${place}, value)) return ${picker === undefined ? 'value' : `${picker}(value)`};`;
    });
    return this.#function(`${choices.join(' ')} throw new Error('The answer fits no alternative.');`);
  }

  #ofObject(properties: Record<string, Schema>, required: string[]): string {
    const fields = Object.entries(properties).map(([name, schema]) => {
      const key = JSON.stringify(name);
      const picker = this.#picker(schema);
      const mayBeNull = required.includes(name) || allowsNull(schema);
      const isShown = mayBeNull ? 'field !== undefined' : 'field !== undefined && field !== null';
      const shown = picker === undefined ? 'field' : `${picker}(field)`;
      return `field = value[${key}]; if (${isShown}) picked[${key}] = ${shown};`;
    });
    const body = `const picked = {}; let field; ${fields.join('\n')} return picked;`;
    // What a check would find is not worth an error after the change was made.
    return this.#function(`if (value === null) return null; ${body}`);
  }

  /** Tells alternatives apart: by type, constants and required fields. */
  #fits(schema: Schema, value: unknown): boolean {
    if (schema.$ref !== undefined) return this.#fits(this.#referred(schema.$ref), value);
    if (schema.anyOf !== undefined) return schema.anyOf.some((one) => this.#fits(one, value));
    if (schema.const !== undefined) return value === schema.const;
    if (schema.type !== undefined && schema.type !== typeOf(value)) {
      return schema.type === 'integer' && Number.isInteger(value);
    }
    const { properties = {}, required = [] } = schema;
    const fields = value as Record<string, unknown>;
    return required.every((name) => {
      const expected = properties[name]?.const;
      return expected === undefined ? fields[name] !== undefined : fields[name] === expected;
    });
  }
}

function nameIn(ref: string): string {
  return ref.slice('#/$defs/'.length);
}

/** The text of a time: JSON.stringify writes text much faster than dates. */
function time(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof Date ? 'string' : typeof value;
}
