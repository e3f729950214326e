import { type Html, html } from '../../html.js';
import { inlineMarkdown } from './markdown.js';

/** The parts of a JSON schema (2020-12) that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[] | undefined;
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  [limit: string]: unknown;
}

const prefix = '#/components/schemas/';

/** Shows schemas. One that is used once is shown where it is used; the others have a place of their own, linked to. */
export class SchemaViews {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #uses = new Map<string, number>();

  constructor(schemas: Readonly<Record<string, Schema>>, document: unknown) {
    this.#schemas = schemas;
    for (const [, name = ''] of JSON.stringify(document).matchAll(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
    )) {
      this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    }
  }

  /** The schema itself, where the document refers to one that it names. */
  resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (this.#schemas[schema.$ref.slice(prefix.length)] ?? {});
  }

  /** The schemas that have a place of their own. */
  places(): Html[] {
    const shared = Object.entries(this.#schemas).filter(([name]) => this.#uses.get(name) !== 1);
    return shared.map(
      ([name, schema]) =>
        html`<article id="/schemas/${name}"><h3><a href="#/schemas/${name}">${name}</a></h3>${this.view(schema)}</article>\n`,
    );
  }

  /** A schema with its description, limits and parts. */
  view(schema: Schema): Html {
    const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (only !== undefined && others.length === 0) {
      return html`<small>null or</small> ${this.view({ ...schema, ...only, anyOf: only.anyOf })}`;
    }
    const name = schema.$ref?.slice(prefix.length);
    if (name !== undefined && this.#uses.get(name) !== 1) {
      return html`<a href="#/schemas/${name}">${name}</a> ${inlineMarkdown(schema.description ?? '')}`;
    }
    const told = schema.description && { description: schema.description };
    const resolved = { ...this.resolve(schema), ...told };
    const text = resolved.description && inlineMarkdown(resolved.description);
    const place = name && html`<i id="/schemas/${name}">${name}</i> `;
    return html`${place}<small>${kindOf(resolved)}</small> ${text}${this.#parts(resolved)}`;
  }

  #parts(schema: Schema): Html | undefined {
    const { properties, required = [], items, additionalProperties, patternProperties } = schema;
    const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
    const list = (views: readonly Html[]) => html`<ul>${views.map((view) => html`<li>${view}</li>`)}</ul>`;
    if (choices !== undefined) return list(choices.map((choice) => this.view(choice)));
    if (items !== undefined) return list([html`each: ${this.view(items)}`]);
    const fields = Object.entries(properties ?? {}).map(
      ([name, field]) =>
        html`<code>${name}</code>${required.includes(name) ? html` <b>required</b>` : undefined} ${this.view(field)}`,
    );
    const others = [additionalProperties, ...Object.values(patternProperties ?? {})]
      .filter((other) => typeof other === 'object')
      .map((other) => html`each value: ${this.view(other)}`);
    return fields.length + others.length === 0 ? undefined : list([...fields, ...others]);
  }
}

/** A longer pattern tells a reader nothing. */
const maxPatternLength = 80;

/** The limit of all integers is not worth telling. */
function withoutObvious(limit: unknown): unknown {
  return limit === Number.MAX_SAFE_INTEGER ? undefined : limit;
}

/** Limits that are written as a range. */
const ranges = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minProperties', 'maxProperties', ' fields'],
] as const;

function rangeOf(min: unknown, most: unknown, unit: string): string | undefined {
  if (min !== undefined && min === most) return `${min}${unit}`;
  if (min === undefined) return most === undefined ? undefined : `at most ${most}${unit}`;
  return most === undefined ? `at least ${min}${unit}` : `${min} to ${most}${unit}`;
}

/** Type, format, values and limits in a line. */
export function kindOf(schema: Schema): string {
  const { type, format, pattern, oneOf, anyOf } = schema;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const named = [type ?? (values === undefined ? 'any' : [])].flat().join(' or ');
  const told = [
    oneOf === undefined && anyOf === undefined ? named : 'one of',
    format,
    values?.map((value) => JSON.stringify(value)).join(' | '),
    ...ranges.map(([min, most, unit]) => rangeOf(schema[min], withoutObvious(schema[most]), unit)),
    pattern && (pattern.length > maxPatternLength ? 'matches a pattern' : `matches ${pattern}`),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return told.filter((text) => text).join(', ');
}
