import type { WaitEnd } from '../../../../db/assignments/assignment-tasks.js';
import type { ChatRow } from '../../../../db/conversations/chats.js';
import type { TaskNode } from '../../../definitions/task-tree/types.js';
import type { NeedsResponseReason } from '../../../kernel/alert-colleague.js';
import type { Entering } from '../entering.js';
import type { EnteringMachine } from '../machine.js';

/** What has to happen because a task was entered. Each kind is performed by the file of its name. */
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

/** What the entry of a task brings about, and whether the task is complete by that. */
export interface Entry {
  effects: Effect[];
  isComplete: boolean;
}

/** Where an effect comes from. */
export interface Origin {
  task: TaskNode;
  entering: Entering;
}

/** Performs one kind of effect in the transaction of the machine. */
export type Perform<Kind extends Effect['kind']> = (
  machine: EnteringMachine,
  effect: Extract<Effect, { kind: Kind }>,
  origin: Origin,
) => Promise<void>;
