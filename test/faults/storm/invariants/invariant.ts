import type { Evidence } from '../evidence.js';

/** Something that is true after any storm. */
export interface Invariant {
  name: string;
  says: string;
  /** One line for each violation, which says what to look at. */
  check(evidence: Evidence): string[];
}

export interface Violation {
  invariant: string;
  message: string;
}
