import type { QuietHours } from '../../../db/identity/models/workspace.js';
import { maxQuietMinutes, quietMinutes, weekdays } from '../../channels/outreach/quiet-hours.js';
import { InvalidInput } from '../../lib/errors.js';

/** What callers give; by default, quiet hours begin on every day. */
export type QuietHoursInput = Omit<QuietHours, 'days'> & Partial<Pick<QuietHours, 'days'>>;

/** Validates quiet hours, whose times are times of a clock, and returns them in stored form. @throws InvalidInput */
export function checkQuietHours({ from, to, days }: QuietHoursInput): QuietHours {
  if (quietMinutes({ from, to }) > maxQuietMinutes) {
    throw InvalidInput.field('/quietHours/to', `must be at most ${maxQuietMinutes / 60} hours after from`);
  }
  return { from, to, days: weekdays.filter((day) => days === undefined || days.includes(day)) };
}
