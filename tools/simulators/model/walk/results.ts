import { isObject, type JsonObject } from '../../support/read-json.js';
import { spoken } from './words.js';

const max = 300;
/** What a result says of itself. */
const besides = ['ok', 'note', 'error', 'cut'];

/** What a tool has answered, for the person: `Find times says: 9:00, 10:30.` */
export function inWords(tool: string, result: JsonObject): string {
  const name = spoken(tool.replace(/^.*?__/, ''));
  const { status, ...others } = result;
  const told = Object.entries(
    result.ok === true ? others : { ...others, ...(status === undefined ? {} : { status }) },
  )
    .filter(([key]) => !besides.includes(key))
    .map(([key, value]) =>
      key === 'body' || key === 'answer' ? listed(value) : `${spoken(key)}: ${listed(value)}`,
    );
  const what = result.ok === true ? told : [spoken(String(result.error)), ...told];
  const text = what.join(', ').slice(0, max);
  if (text === '') return `Done: ${name}.`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${result.ok === true ? 'says' : 'failed'}: ${text}.`;
}

function listed(value: unknown): string {
  if (typeof value === 'string') {
    const inside = parsed(value);
    return isObject(inside) || Array.isArray(inside) ? listed(inside) : value;
  }
  if (Array.isArray(value)) return value.map(listed).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${spoken(key)}: ${listed(one)}`)
    .join(', ');
}

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
