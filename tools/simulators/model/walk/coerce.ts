import { isObject, type JsonObject } from '../../support/read-json.js';
import { baseType } from './fields.js';
import { normalised, words, yesOrNo } from './words.js';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Converts a person's answer to a value of the schema; undefined if that is impossible. */
export function coerce(text: string, schema: JsonObject): unknown {
  if (Array.isArray(schema.enum)) return matchEnum(text, schema.enum);
  switch (baseType(schema)) {
    case 'number':
      return matchNumber(text, schema);
    case 'integer': {
      const value = matchNumber(text, schema);
      return Number.isInteger(value) ? value : undefined;
    }
    case 'boolean': {
      const meant = yesOrNo(text);
      return meant === undefined ? undefined : meant === 'yes';
    }
    case 'array':
      return matchList(text, isObject(schema.items) ? schema.items : {});
    default:
      return matchString(text, schema);
  }
}

/** Matches the whole answer first, then the only option that occurs in the answer as separate words. */
function matchEnum(text: string, options: unknown[]): unknown {
  const exact = options.find((option) => normalised(String(option)) === normalised(text));
  if (exact !== undefined) return exact;
  const answer = ` ${words(text).join(' ')} `;
  const contained = options.filter((option) => {
    const name = words(String(option)).join(' ');
    return name !== '' && answer.includes(` ${name} `);
  });
  return contained.length === 1 ? contained[0] : undefined;
}

function matchNumber(text: string, schema: JsonObject): number | undefined {
  const found = text.replace(/(\d),(?=\d{3}\b)/g, '$1').match(/-?\d+(?:\.\d+)?/);
  if (found === null) return undefined;
  const value = Number(found[0]);
  if (typeof schema.minimum === 'number' && value < schema.minimum) return undefined;
  if (typeof schema.maximum === 'number' && value > schema.maximum) return undefined;
  return value;
}

function matchList(text: string, items: JsonObject): unknown[] | undefined {
  const values = text
    .split(/,|;|\band\b/i)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => coerce(part, items));
  return values.length === 0 || values.includes(undefined) ? undefined : values;
}

function matchString(text: string, schema: JsonObject): string | undefined {
  if (isDay(schema)) return matchDate(text);
  if (schema.format === 'email') return text.match(/[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+/)?.[0];
  if (typeof schema.maxLength === 'number' && text.length > schema.maxLength) return undefined;
  return text === '' ? undefined : text;
}

/** Requests to web services have no formats: their authors describe them. */
export function isDay({ format, description }: JsonObject): boolean {
  return format === 'date' || /YYYY-MM-DD/.test(String(description));
}

const dayFirst =
  /\b(?<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?<month>[a-z]{3})[a-z]*\.?,?\s+(?<year>\d{4})\b/i;
const monthFirst = /\b(?<month>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})\b/i;

/** `1990-03-12`, `12 March 1990` or `March 12, 1990`, as `1990-03-12`; only days that exist. */
export function matchDate(text: string): string | undefined {
  const iso = text.match(/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/);
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const { groups } = text.match(dayFirst) ?? text.match(monthFirst) ?? {};
  if (groups === undefined) return undefined;
  const month = MONTHS.indexOf(groups.month?.toLowerCase() ?? '') + 1;
  return day(Number(groups.year), month, Number(groups.day));
}

function day(year: number, monthNumber: number, dayNumber: number): string | undefined {
  const date = new Date(Date.UTC(year, monthNumber - 1, dayNumber));
  const exists = date.getUTCMonth() === monthNumber - 1 && date.getUTCDate() === dayNumber;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}
