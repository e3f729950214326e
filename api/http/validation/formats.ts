import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';

// ajv-formats is CommonJS, but its type declarations do not say so.
const addFormats: FormatsPlugin = createRequire(import.meta.url)('ajv-formats');

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimeForm =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

// A time zone offset can move an instant into a year that answers cannot represent.
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Adds the formats in use to ajv. Dates and UUIDs are stricter than in ajv-formats, so that PostgreSQL accepts every
 * valid value and answers can represent it (no year 0 or 10000, no leap second, no `urn:` prefix).
 */
export function addFormatsTo(ajv: Ajv2020): void {
  addFormats(ajv as never, ['email', 'uri']);
  ajv.addFormat('date', isDate);
  ajv.addFormat('date-time', (text: string) => {
    const date = dateTimeForm.exec(text)?.[1];
    const moment = Date.parse(text);
    return date !== undefined && isDate(date) && moment >= earliest && moment <= latest;
  });
  ajv.addFormat('uuid', uuidForm);
}

function isDate(text: string): boolean {
  const match = dateForm.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}
