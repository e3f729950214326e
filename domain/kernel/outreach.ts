import type { PhoneCallRow } from '../../db/calls/phone-calls.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { MessageRow } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/tx.js';

export interface CallRequest {
  /** The caller holds its row lock, unless it is new. */
  chat: ChatRow;
  /** A number of the workspace. Absent: that of the chat, else of its workflow, else the only one that has calls. */
  from?: { id: number } | { number: string } | undefined;
  begunBy: 'api' | 'task' | 'agent';
  requestedByMemberId?: number | null;
  assignmentTaskId?: number | null;
  now: Date;
}

export type CallRefusal =
  | 'call_in_progress'
  | 'missing_phone_number'
  | 'missing_phone'
  | 'voice_disabled'
  | 'member_deleted';

/**
 * How the member of a chat is reached. What begins chats and enters tasks knows this port alone: no channel, no carrier. A
 * simulation has one that places no calls.
 */
export interface Outreach {
  /** Whether messages on this channel are delivered. Elsewhere they are read where they are stored. */
  delivers(channel: string): boolean;
  /**
   * Queues a message, or reports it as sent where nothing is delivered.
   * @param by whether a task says it, or a colleague opens the chat with it
   * @returns the code of what hinders it
   */
  deliver(
    tx: Tx,
    chat: ChatRow,
    message: MessageRow,
    now: Date,
    by: { forTask: true } | { isPlanned: true },
  ): Promise<string | undefined>;
  /** @returns the code of why a reply of the agent could not be delivered now; undefined if it could, or need not be */
  whyUndeliverable(tx: Tx, chat: ChatRow, now: Date): Promise<string | undefined>;
  /** Whether what is told in the chat, or in its call, may reach somebody else than the member. */
  mayReachAnother(tx: Tx, chat: ChatRow, call: PhoneCallRow | undefined): Promise<boolean>;
  /** @returns `answered`: the member is on the phone already; the code of a refusal: it cannot be called now */
  call(tx: Tx, call: CallRequest): Promise<'placed' | 'answered' | CallRefusal>;
  /** Whether the call is up that the chat, or this task of its assignment, waits for. */
  isInCall(tx: Tx, chat: ChatRow, assignmentTaskId: number): Promise<boolean>;
}
