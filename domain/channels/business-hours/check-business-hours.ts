import type { BusinessHours, BusinessWindow } from '../../../db/identity/models/workspace.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { weekdays } from '../outreach/quiet-hours.js';
import { checkPlaceholders } from './placeholders.js';

/** What callers give; a window without days is of every day. */
export interface BusinessHoursInput {
  windows: (Omit<BusinessWindow, 'days'> & Partial<Pick<BusinessWindow, 'days'>>)[];
  closedDates?: string[];
  outside?: BusinessHours['outside'];
  closedText?: string | null;
}

/** Validates business hours and returns them in stored form: dates in order, each once. @throws InvalidInput */
export function checkBusinessHours({
  windows,
  closedDates = [],
  outside = 'closed',
  closedText = null,
}: BusinessHoursInput): BusinessHours {
  const errors = closedDates.flatMap((date, index): FieldError[] =>
    isDate(date)
      ? []
      : [{ pointer: `/businessHours/closedDates/${index}`, message: 'must be a date, as YYYY-MM-DD' }],
  );
  if (errors.length > 0) throw InvalidInput.fields(errors);
  checkPlaceholders(closedText, '/businessHours/closedText');
  return {
    windows: windows.map(({ days, from, to }) => ({
      days: weekdays.filter((day) => days === undefined || days.includes(day)),
      from,
      to,
    })),
    closedDates: [...new Set(closedDates)].sort(),
    outside,
    closedText,
  };
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
