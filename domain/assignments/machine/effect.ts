import type { WaitEnd } from '../../../db/assignments/assignment-tasks.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import type { NeedsResponseReason } from '../../kernel/alert-colleague.js';
import type { Cause } from '../timeline/note.js';

/** What has to happen because a task was entered (`perform`). */
export type Effect =
  /** The agent has to take a turn. */
  | { kind: 'turn' }
  /** The member is told a text, in as many messages as its channel needs: spoken in the call, or delivered. */
  | { kind: 'say'; parts: readonly string[]; callId: number | undefined }
  /** The member is called. */
  | { kind: 'call'; from: string | undefined }
  /** The task waits: until a time, for an event after this mark, or not at all, because of what ends the wait at once. */
  | { kind: 'wait'; until: Date | null; eventMark?: number | null; endedBy?: WaitEnd }
  /** The person who takes over reads a note. */
  | { kind: 'note'; content: string }
  /** A colleague is alerted, with changes of the chat. */
  | { kind: 'alert'; reason: NeedsResponseReason; changes?: Partial<ChatRow> }
  /** The assignment ends. */
  | { kind: 'conclude'; outcome?: string | undefined; outcomeReason?: string | undefined };

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** What the entry of a task brings about, and whether the task is complete by that. */
export interface Entry {
  effects: Effect[];
  isComplete: boolean;
}

/** How a task comes to be entered. */
export interface Entering extends Cause {
  /** Idempotency key: the task is entered once per key. */
  requestUuid?: string;
  /** Whether the agent's turn is in progress. If so, the agent needs no further turn to notice the task. */
  inTurn: boolean;
}

/** Where an effect comes from. */
export interface Origin {
  task: TaskNode;
  entering: Entering;
}
