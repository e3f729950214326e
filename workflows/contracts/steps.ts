import type { SelectTaskResult } from './commands.js';

/** The next action of a run, as a step returns it: ids, counts, codes, states and names of configuration only. */

interface Waiting {
  kind: 'wait';
  /** Epoch milliseconds at which to request the next step; absent: only after a poke. */
  until?: number;
  /** Why nothing goes on before a person does something, as a code; absent: it goes on by itself or with the member. */
  stands?: string;
}

/** Where an assignment stands. */
interface Place {
  taskName: string;
  /** Names of the tasks visited last, the current one at the end; absent in histories of earlier releases. */
  walk?: string[];
}

export type AssignmentStep =
  | (Place & { kind: 'turn'; chatVersion: number })
  | (Place &
      Waiting & {
        state: string;
        /** When something is due, if `until` may be an earlier look at what the task waits for; null: never. */
        dueAt?: number | null;
      })
  | (Partial<Place> & {
      kind: 'concluded';
      status: string;
      /** Why the service concluded it; absent if a person, the agent or the definition did. */
      code?: string;
    });

/** Nothing is to be done; `isHeld`: until the hold of the workspace ends, which pokes the run again. */
interface Idle {
  kind: 'idle';
  isHeld?: true;
}

export type ChatStep = { kind: 'turn'; chatVersion: number } | Waiting | Idle;

/** `ended`: what became of a scheduled message; `gone`: it was deleted. */
export type ScheduledMessageStep =
  | { kind: 'wait'; until: number; isHeld?: true }
  | { kind: 'ended'; outcome: 'sent' | 'cancelled' | 'failed' | 'gone'; reason?: string };

/**
 * `ended`: what became of a page that was to be published; `gone`: it was deleted, `refused`: who scheduled it may not do
 * so any more.
 */
export type PublicationStep =
  | { kind: 'wait'; until: number }
  | { kind: 'ended'; outcome: 'published' | 'not_scheduled' | 'refused' | 'gone' };

/** How a call is that was answered and goes on. */
export interface CallProgress {
  /** Epoch milliseconds. */
  answeredAt: number;
  speaksWith: 'agent' | 'transfer' | 'nobody';
  taskName?: string;
  /** The latest transfer: the name of its target in the definition, and its state. */
  transfer?: { to: string; state: string };
}

/** How a call has ended. */
export interface CallOutcome {
  status: string;
  reason?: string;
  failure?: string;
  /** How the transfer ended. */
  transfer?: string;
  seconds?: number;
  credits?: number;
}

/**
 * `again`: ask for the next step immediately. `ended`: the call, and what follows it, is over; `gone` if it does not exist. A
 * wait is for: an answer, the end of a call that goes on, the outcome of dialling, the carrier, what follows the end of our
 * part, the bill, or the end of the hold of the workspace.
 */
export type CallStep =
  | { kind: 'again' }
  | {
      kind: 'wait';
      until: number;
      for: 'answer' | 'end' | 'outcome' | 'carrier' | 'carrier_unusable' | 'release' | 'bill' | 'held';
      /** Of a wait for the end. */
      call?: CallProgress;
      /** Of a wait for the bill. */
      ended?: CallOutcome;
    }
  | (CallOutcome & { kind: 'ended' });

/** What a step did with one message, and the state of its delivery afterwards. */
export interface DeliveryDone {
  act: 'send' | 'resolve' | 'ask_for_receipt';
  messageId: number;
  state: string;
  /** Why it failed. */
  reason?: string;
}

/** `again`: ask for the next step immediately. */
export type DeliveryStep = (
  | { kind: 'again' }
  | { kind: 'wait'; until: number; code?: 'carrier_unusable' | 'quiet_hours' | 'pace' }
  | Idle
) & { done?: DeliveryDone };

export interface SelectionStep {
  answer: SelectTaskResult;
  next: AssignmentStep;
}

/** `next`: the next step of the run, of a chat with an active assignment or without one. */
export type RoundResult =
  | { kind: 'replied'; next?: AssignmentStep | ChatStep }
  | { kind: 'nothing_to_say'; next?: AssignmentStep | ChatStep }
  | { kind: 'interrupted' }
  | { kind: 'tools'; toolCallIds: string[]; toolNames?: string[] };

export interface ToolOutcome {
  /** The current task is no longer conversational: the agent says nothing more. */
  endsTurn: boolean;
  /** Name of the task in which the assignment is now. */
  taskName?: string;
}

/** The most model calls of one turn of the agent; the last one gets no tools. */
export const maxRounds = 12;

/** How a webhook delivery ended, and after how many attempts. */
export interface WebhookOutcome {
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  attempts: number;
}

/** `again`: rows are left. `gone`: there is no such import any more. */
export type ImportStep = { done: number; total: number } & (
  | { kind: 'again' }
  | { kind: 'ended'; outcome: 'completed' | 'cancelled' | 'failed' | 'gone'; reason?: string }
);

/** How a crawl goes on. `read`: the pages that it has read, `found`: the addresses that it has come across. */
export type CrawlStep =
  | { kind: 'again'; read: number; found: number }
  | { kind: 'wait'; until: number; read: number; found: number }
  | { kind: 'ended'; outcome: string; read: number };

/** `look`: nothing is left; late writes are looked for after that time. `older`: older transactions may still write. */
export type ErasureStep =
  | { kind: 'again'; erased: number }
  | { kind: 'wait'; until: number; for: 'older' | 'look' }
  | { kind: 'finished'; erased: number };

/**
 * The end of a slice of a pass. `next`: something is left, and the activity is called again, with this if it is an object.
 * Otherwise the database has the place.
 */
export interface Sliced<Next extends object = never> {
  next?: true | Next;
}
