import type { Tx } from '../../db/tx.js';
import { InvalidInput } from '../lib/errors.js';
import { addDays, beginOf, countDays, dayOf } from '../lib/local-time.js';
import { isTimezone } from '../lib/locales.js';
import type { CommandContext } from './context.js';

const defaultDays = 30;
/** Nothing is older. The bound also keeps years at four digits, as the date format requires. */
const firstDay = '1970-01-01';

/** Days as a caller asks for them. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
  timezone?: string | undefined;
}

/** Days with the moments at which they begin. */
export interface Days {
  timezone: string;
  dates: string[];
  begins: Date[];
  ends: Date;
}

/**
 * The days from first to last; by default 30, in the workspace's time zone. A day is as long as it is there: 23 or 25
 * hours where the clocks change. @throws InvalidInput
 */
export async function daysOf(
  { db, clock, actor }: CommandContext,
  tx: Tx,
  range: DayRange,
  maxDays: number,
): Promise<Days> {
  if (range.timezone !== undefined && !isTimezone(range.timezone)) {
    throw InvalidInput.field('/timezone', 'must be a time zone such as Europe/Paris');
  }
  const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
  const timezone = range.timezone ?? workspace?.timezone ?? 'UTC';
  const today = dayOf(clock.now(), timezone);
  const to = range.to ?? (range.from !== undefined && range.from > today ? range.from : today);
  if (to < firstDay) throw InvalidInput.field('/to', `must not be before ${firstDay}`);
  const from = range.from ?? addDays(to, 1 - defaultDays);
  const length = countDays(from, to);
  if (length < 1) throw InvalidInput.field('/to', 'must not be before from');
  if (length > maxDays) throw InvalidInput.field('/to', `must be within ${maxDays} days of from`);

  const dates = Array.from({ length }, (_, index) => addDays(from, index));
  const begins = dates.map((date) => beginOf(date, timezone));
  return { timezone, dates, begins, ends: beginOf(to, timezone, 1) };
}

/** The longest range of what is counted by reading each row. */
export const maxCountedDays = 92;
