import type { SelectTaskResult } from './messages.js';

/** What a step of a run finds to do next. Ids, counts, codes, states and names of configuration only. */

interface Waiting {
  kind: 'wait';
  /** When to look again by itself, in epoch milliseconds; absent: when poked. */
  until?: number;
}

export type AssignmentStep =
  | { kind: 'turn'; taskName: string; chatVersion: number }
  | (Waiting & { taskName: string; state: string })
  | { kind: 'concluded'; status: string };

export type ChatStep = { kind: 'turn'; chatVersion: number } | Waiting | { kind: 'idle' };

/** `again`: there is more to do at once. */
export type DeliveryStep = { kind: 'again' } | { kind: 'wait'; until: number } | { kind: 'idle' };

/** What a command on an assignment came to, and what that makes its run do next. */
export interface SelectionStep {
  answer: SelectTaskResult;
  next: AssignmentStep;
}

/** `next`: in a chat without an assignment, what its run does then. */
export type RoundResult =
  | { kind: 'replied'; next?: ChatStep }
  | { kind: 'nothing_to_say'; next?: ChatStep }
  | { kind: 'interrupted' }
  | { kind: 'tools'; toolCallIds: string[] };

export interface ToolOutcome {
  /** The task the agent stands in is no longer a matter of conversation: it says nothing more. */
  endsTurn: boolean;
}

/** How the delivery of an event ended, and after how many attempts. */
export interface WebhookOutcome {
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  attempts: number;
}
