import type { Evidence } from '../evidence.js';
import { agentInvariants } from './agents.js';
import { callInvariants } from './calls.js';
import { conversationInvariants, eventInvariants } from './conversations.js';
import { effectInvariants } from './effects.js';
import { emailInvariants } from './emails.js';
import { fileInvariants } from './files.js';
import { lastWordInvariants } from './last-words.js';
import { runInvariants } from './runs.js';
import { sendingInvariants } from './sending.js';
import { taskInvariants } from './tasks.js';

export const invariants = [
  runInvariants,
  effectInvariants,
  eventInvariants,
  lastWordInvariants,
  conversationInvariants,
  agentInvariants,
  callInvariants,
  taskInvariants,
  sendingInvariants,
  emailInvariants,
  fileInvariants,
].flatMap((group) => Object.entries(group).map(([name, check]) => ({ name, check })));

export function violations(evidence: Evidence): { invariant: string; message: string }[] {
  return invariants.flatMap(({ name, check }) =>
    check(evidence).map((message) => ({ invariant: name, message })),
  );
}
