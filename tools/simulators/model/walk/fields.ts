import { isObject, type JsonObject } from '../../support/read-json.js';
import type { Tool } from '../protocol.js';
import { normalised } from './words.js';

export interface Field {
  slug: string;
  title: string;
  schema: JsonObject;
}

const QUESTION = 'Please tell me: ';

export function missingFields(tool: Tool): Field[] {
  const properties = propertiesOf(tool.parameters);
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required.map(String) : [];
  return required.map((slug) => {
    const schema = properties[slug] ?? {};
    return { slug, title: typeof schema.title === 'string' ? schema.title : slug, schema };
  });
}

/** The question for a field, which `askedField` recognises. */
export function askFor(field: Field): string {
  const hint = hintFor(field.schema);
  const asked = /[?!.]$/.test(field.title) ? field.title : `${field.title}.`;
  return `${QUESTION}${asked}${hint === undefined ? '' : ` (${hint})`}`;
}

/** The field that a question was about: its own wording, else the longest title that occurs in it. */
export function askedField(question: string, fields: Field[]): Field | undefined {
  if (question.includes(QUESTION)) {
    const last = question.slice(question.lastIndexOf(QUESTION));
    return fields.find((field) => last.includes(askFor(field)));
  }
  return fields
    .filter(({ title }) => normalised(question).includes(normalised(title)))
    .sort((a, b) => b.title.length - a.title.length)[0];
}

function hintFor(schema: JsonObject): string | undefined {
  const items = isObject(schema.items) ? schema.items : undefined;
  if (items !== undefined && Array.isArray(items.enum)) return `any of: ${items.enum.join(', ')}`;
  if (Array.isArray(schema.enum))
    return `one of: ${schema.enum.filter((value) => value !== null).join(', ')}`;
  if (schema.format === 'date') return 'as YYYY-MM-DD';
  switch (baseType(schema)) {
    case 'boolean':
      return 'yes or no';
    case 'number':
    case 'integer':
      return 'as a number';
    default:
      return undefined;
  }
}

/** The schemas of what an object has. */
export function propertiesOf({ properties }: JsonObject): Record<string, JsonObject> {
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(entries.map(([name, schema]) => [name, isObject(schema) ? schema : {}]));
}

export function baseType(schema: JsonObject): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return String(types.find((type) => type !== 'null') ?? 'string');
}
