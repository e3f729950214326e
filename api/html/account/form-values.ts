import { InvalidInput } from '../../../domain/lib/errors.js';
import type { SentForm } from './page-request.js';

/** A text of a form, without spaces around it. @throws InvalidInput when it is empty or too long */
export function textIn(form: SentForm, name: string, max = 200): string {
  const text = form.one(name).trim();
  if (text === '') throw InvalidInput.field(`/${name}`, 'must not be empty');
  if (text.length > max) throw InvalidInput.field(`/${name}`, `must have at most ${max} characters`);
  return text;
}

/** A date of a form as the end of that day in UTC; undefined without one. @throws InvalidInput */
export function endOfDayIn(form: SentForm, name: string): string | undefined {
  const day = form.one(name).trim();
  if (day === '') return undefined;
  const end = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T23:59:59.000Z`) : undefined;
  if (end === undefined || Number.isNaN(end.getTime()))
    throw InvalidInput.field(`/${name}`, 'must be a date');
  return end.toISOString();
}

/** The number in a path or a form; undefined for other texts. */
export function idIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
