import { InvalidInput } from './errors.js';

const maxAheadMs = 366 * 24 * 3_600_000;

/**
 * Reads the time at which something is to happen.
 * @param text ISO 8601, with an offset
 * @throws InvalidInput, unless it is in the future and within a year
 */
export function timeWithinAYear(pointer: string, text: string, now: Date): Date {
  const time = new Date(text);
  const inMs = time.getTime() - now.getTime();
  if (!(inMs > 0)) throw InvalidInput.field(pointer, 'must be in the future');
  if (inMs > maxAheadMs) throw InvalidInput.field(pointer, 'must be within a year');
  return time;
}
