import type { Evidence } from '../evidence.js';

/** Something that is true after any storm. */
export interface Invariant {
  /** As it is called in reports. */
  name: string;
  /** What it says. */
  says: string;
  /** One line for each violation, which says what to look at. */
  check(evidence: Evidence): string[];
}

export interface Violation {
  invariant: string;
  message: string;
}
