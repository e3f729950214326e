import { groupBy } from '../../storm/group-by.js';
import type { AttemptFact, Evidence } from '../evidence.js';

/** Something that is true whatever was killed while events were delivered. */
export interface Invariant {
  /** As it is called in reports. */
  name: string;
  /** What it says. */
  says: string;
  /** One line for each violation, which says what to look at. */
  check(evidence: Evidence): string[];
}

/** The attempts at each event, in their order. */
export function attemptsByEvent(attempts: readonly AttemptFact[]): (eventUuid: string) => AttemptFact[] {
  const sorted = attempts.toSorted((one, other) => one.number - other.number);
  const groups = groupBy(sorted, ({ eventUuid }) => eventUuid);
  return (eventUuid) => groups.get(eventUuid) ?? [];
}

/** Attempts as a report shows them. */
export function shown(attempts: readonly AttemptFact[]): string {
  const each = attempts.map(
    ({ number, statusCode, finished }) =>
      `${number}: ${finished ? (statusCode ?? 'no answer') : 'unfinished'}`,
  );
  return each.length === 0 ? 'none' : each.join(', ');
}
