import { isObject, type JsonObject } from '../../support/read-json.js';
import { coerce, isDay } from './coerce.js';
import { baseType, propertiesOf } from './fields.js';
import { words } from './words.js';

/** What a person has said, and what of it stands behind the words that ask for a tool. */
export interface Said {
  text: string;
  rest: string;
}

/** Words between the name of a tool and what it is called with. */
const LINKS = /^(?:[\s:,.–-]|(?:for|on|about|to|of|that|with|in|at|an?|the|me|my|please)\b)+/i;
const ENDING = /[\s.,!?]*(?:\bplease\b)?[\s.,!?]*$/i;
const maxCodeLength = 40;

export function saidBehind(text: string, end: number): Said {
  return { text, rest: text.slice(end).replace(LINKS, '').replace(ENDING, '') };
}

/** Arguments for any tool, by its schema: all that it requires, and what else the person has named. */
export function argumentsFor(schema: JsonObject, said: Said): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const given = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const value = named(name, property, said.text);
    return [name, value ?? (required.includes(name) ? fittingValue(property, said) : undefined)] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** What the person has named: `day: Tuesday`, `my day is Tuesday`, `order A-17`. */
export function namedArguments(schema: JsonObject, text: string): JsonObject {
  return argumentsFor({ ...schema, required: [] }, { text, rest: '' });
}

function named(name: string, schema: JsonObject, text: string): unknown {
  for (const title of [String(schema.title ?? name), name]) {
    const spoken = words(title).join('[^\\p{L}\\p{N}]+');
    const found = new RegExp(
      `(?<![\\p{L}\\p{N}])${spoken}(?:(?::| is| are)\\s*([^,;]+)| (\\S*\\d\\S*))`,
      'iu',
    ).exec(text);
    const value = (found?.[1] ?? found?.[2])?.replace(ENDING, '');
    if (value !== undefined) return coerce(value, schema);
  }
  return undefined;
}

/** What of the words fits, else the first or smallest value: the call is made, whatever comes of it. */
function fittingValue(schema: JsonObject, said: Said): unknown {
  const type = baseType(schema);
  if (type === 'object') return argumentsFor(schema, said);
  const isText = type === 'string' && !Array.isArray(schema.enum);
  if (isText && !isDay(schema) && Number(schema.maxLength) <= maxCodeLength) {
    const code = /[\w-]*\d[\w-]*/.exec(said.rest)?.[0];
    if (code !== undefined) return code;
  }
  const fitting = [said.rest, said.text]
    .map((text) => coerce(text, schema))
    .find((value) => value !== undefined);
  if (fitting !== undefined) return fitting;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (type === 'array') return [fittingValue(isObject(schema.items) ? schema.items : {}, said)];
  if (type === 'boolean') return true;
  if (type === 'string') return (said.rest || said.text).slice(0, Number(schema.maxLength ?? 1_000));
  return schema.minimum ?? 1;
}
