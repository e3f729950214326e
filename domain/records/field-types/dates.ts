import type { JsonSchema } from '../../lib/json-schema.js';
import { byText, type FieldTypeRules, invalid, valid } from './types.js';

const datetimeShape =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const firstInstant = Date.parse('0000-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');
const timeShape = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

export const date = dated('date', parseDate, 'must be a date as YYYY-MM-DD', { format: 'date' });

/** Stored as an instant in UTC, so that the order of the texts is the order of time. */
export const datetime = dated('datetime', parseDatetime, 'must be an ISO 8601 date and time with an offset', {
  format: 'date-time',
});

export const time = dated('time', parseTime, 'must be a time as HH:MM', { pattern: timeShape.source });

function dated(
  bounded: 'date' | 'datetime' | 'time',
  parse: (text: string) => string | null,
  message: string,
  form: JsonSchema,
): FieldTypeRules {
  return {
    bounded,
    index: byText,
    normalize(value) {
      const parsed = typeof value === 'string' ? parse(value) : null;
      return parsed === null ? invalid(message) : valid(parsed);
    },
    schema: () => ({ type: 'string', ...form }),
  };
}

/** Whether a text is an existing date as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

export function parseDate(text: string): string | null {
  return isDate(text) ? text : null;
}

/** Parses a time of day, or returns null. Omits seconds that are zero, so that each time has only one text. */
export function parseTime(text: string): string | null {
  if (!timeShape.test(text)) return null;
  return text.endsWith(':00') && text.length === 8 ? text.slice(0, 5) : text;
}

/** Parses an ISO 8601 date and time to an instant in UTC, or returns null. */
export function parseDatetime(text: string): string | null {
  const [, day, clock] = datetimeShape.exec(text) ?? [];
  if (day === undefined || clock === undefined || !isDate(day)) return null;
  if (!timeShape.test(clock.slice(0, 8))) return null;
  const instant = new Date(text);
  // The offset may move the instant out of the four-digit years. Only these sort as texts in the order of time.
  const isPlain = instant.getTime() >= firstInstant && instant.getTime() <= lastInstant;
  return isPlain ? instant.toISOString() : null;
}
