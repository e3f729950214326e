import type { Evidence } from '../evidence.js';
import { agentInvariants } from './agents.js';
import { conversationInvariants, eventInvariants } from './conversations.js';
import { effectInvariants } from './effects.js';
import type { Invariant, Violation } from './invariant.js';
import { lastWordInvariants } from './last-words.js';
import { runInvariants } from './runs.js';
import { sendingInvariants } from './sending.js';
import { taskInvariants } from './tasks.js';

export type { Invariant, Violation } from './invariant.js';

export const invariants: readonly Invariant[] = [
  ...runInvariants,
  ...effectInvariants,
  ...eventInvariants,
  ...lastWordInvariants,
  ...conversationInvariants,
  ...agentInvariants,
  ...taskInvariants,
  ...sendingInvariants,
];

/** What is not as it should be, by the name of the invariant. */
export function violations(evidence: Evidence): Violation[] {
  return invariants.flatMap(({ name, check }) =>
    check(evidence).map((message) => ({ invariant: name, message })),
  );
}
