import type { Cause } from '../timeline/note.js';

export interface Entering extends Cause {
  /** Idempotency key: the task is entered once per key. */
  requestUuid?: string;
  /** Whether the agent's turn is in progress. If so, the agent needs no further turn to notice the task. */
  inTurn: boolean;
}
