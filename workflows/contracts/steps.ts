import type { SelectTaskResult } from './commands.js';

/** The next action of a run, as a step returns it: ids, counts, codes, states and names of configuration only. */

interface Waiting {
  kind: 'wait';
  /** Epoch milliseconds at which to request the next step; absent: only after a poke. */
  until?: number;
}

export type AssignmentStep =
  | { kind: 'turn'; taskName: string; chatVersion: number }
  | (Waiting & {
      taskName: string;
      state: string;
      /** When something is due, if `until` may be an earlier look at what the task waits for; null: never. */
      dueAt?: number | null;
    })
  | { kind: 'concluded'; status: string };

export type ChatStep = { kind: 'turn'; chatVersion: number } | Waiting | { kind: 'idle' };

/** `again`: ask for the next step immediately. */
export type DeliveryStep = { kind: 'again' } | { kind: 'wait'; until: number } | { kind: 'idle' };

export interface SelectionStep {
  answer: SelectTaskResult;
  next: AssignmentStep;
}

/** `next`: the next step of a chat without an assignment. */
export type RoundResult =
  | { kind: 'replied'; next?: ChatStep }
  | { kind: 'nothing_to_say'; next?: ChatStep }
  | { kind: 'interrupted' }
  | { kind: 'tools'; toolCallIds: string[] };

export interface ToolOutcome {
  /** The current task is no longer conversational: the agent says nothing more. */
  endsTurn: boolean;
}

/** The most model calls of one turn of the agent; the last one gets no tools. */
export const mostRounds = 12;

/** How a webhook delivery ended, and after how many attempts. */
export interface WebhookOutcome {
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  attempts: number;
}
