import { createHash, timingSafeEqual } from 'node:crypto';
import { normalizePhone } from '../../lib/phone.js';
import { isDate } from '../../records/field-types/dates.js';

/** How an answer is read. */
export interface Reading {
  fieldType: string;
  /** Languages in which months may be named. */
  locales: readonly string[];
  /** Of phone numbers without a country code. */
  region: string;
}

/**
 * Whether somebody has said what is stored: in any case, with any spaces and marks, dates and numbers in any of their usual forms.
 * It takes the same time whatever is stored.
 */
export function isSameAnswer(stored: unknown, given: unknown, reading: Reading): boolean {
  const [known] = stored === null || stored === undefined ? [] : formsOf(String(stored), reading);
  const said = typeof given === 'string' || typeof given === 'number' ? formsOf(String(given), reading) : [];
  const expected = digest(known ?? '');
  let isSame = false;
  for (let place = 0; place < maxForms; place += 1) {
    const matches = timingSafeEqual(expected, digest(said[place] ?? ' '));
    isSame = (matches && place < said.length) || isSame;
  }
  return isSame && known !== undefined;
}

const maxForms = 4;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** What a text may mean; of a stored value, the first is the value. */
function formsOf(text: string, { fieldType, locales, region }: Reading): string[] {
  const trimmed = text.trim().slice(0, 200);
  switch (fieldType) {
    case 'date':
      return datesOf(trimmed, locales).slice(0, maxForms);
    case 'number':
    case 'integer': {
      const digits = trimmed.replace(/[\s'’]/g, '').replace(/^(-?\d+),(\d+)$/, '$1.$2');
      return digits === '' || Number.isNaN(Number(digits)) ? [] : [String(Number(digits))];
    }
    case 'phone': {
      const number = normalizePhone(trimmed, region);
      return number === null ? [] : [number];
    }
    case 'email':
      return words(trimmed.toLowerCase().replace(/\s/g, ''));
    default:
      return words(folded(trimmed));
  }
}

function words(text: string): string[] {
  return text === '' ? [] : [text];
}

/** Letters and digits alone, without accents. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The dates that a text may mean, as YYYY-MM-DD: two where day and month can be exchanged. */
function datesOf(text: string, locales: readonly string[]): string[] {
  const numbers = withMonthNumbers(text.toLowerCase(), locales)
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1')
    .split(/\D+/)
    .filter((part) => part !== '');
  const [one = '', two = '', three = ''] = numbers;
  const orders =
    numbers.length === 1 && one.length === 8
      ? // As keys: year first, or last.
        [
          [one.slice(0, 4), one.slice(4, 6), one.slice(6)],
          [one.slice(4), one.slice(2, 4), one.slice(0, 2)],
          [one.slice(4), one.slice(0, 2), one.slice(2, 4)],
        ]
      : numbers.length !== 3
        ? []
        : one.length === 4
          ? [[one, two, three]]
          : [
              [three, two, one],
              [three, one, two],
            ];
  const dates = orders
    .map(([year = '', month = '', day = '']) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
    .filter(isDate);
  return [...new Set(dates)];
}

/** Months by name become numbers. A month that is named is no day: the other order of both has no such date, or is the same. */
function withMonthNumbers(text: string, locales: readonly string[]): string {
  for (const locale of new Set([...locales, 'en'])) {
    const names = monthsOf(locale);
    const place = names.findIndex((name) => text.includes(name));
    if (place < 0) continue;
    const [day = '', year = ''] = text.split(/\D+/).filter((part) => part !== '');
    return day.length === 4 ? text : `${year} ${place + 1} ${day}`;
  }
  return text;
}

function monthsOf(locale: string): string[] {
  const months = [...Array(12).keys()].map((month) => new Date(Date.UTC(2020, month, 15)));
  try {
    const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
    return months.map((month) => format.format(month).toLowerCase());
  } catch {
    return [];
  }
}
