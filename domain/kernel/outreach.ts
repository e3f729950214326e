import type { ChatRow } from '../../db/conversations/chats.js';
import type { MessageRow } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/tx.js';

/** A call that a `call` task of a workflow begins. */
export interface CallOfTask {
  /** The caller holds its row lock. */
  chat: ChatRow;
  assignmentTaskId: number;
  /** The number of the workspace that calls; undefined: that of the chat, its workflow or the workspace. */
  from: string | undefined;
  now: Date;
}

/**
 * How a workflow reaches its member. The machine of tasks knows this port alone: no channel, no carrier. A simulation has one
 * that places no calls.
 */
export interface Outreach {
  /** Whether messages on this channel are delivered. Elsewhere they are read where they are stored. */
  delivers(channel: string): boolean;
  /** Queues the message of a task, or reports it as sent where nothing is delivered. @returns the code of what hinders it */
  deliver(tx: Tx, chat: ChatRow, message: MessageRow, now: Date): Promise<string | undefined>;
  /** @returns the code of why a reply of the agent could not be delivered now; undefined if it could, or need not be */
  whyUndeliverable(tx: Tx, chat: ChatRow, now: Date): Promise<string | undefined>;
  /**
   * @returns `answered`: the member is on the phone already; `on_phone`: it is, in another chat; `refused`: it cannot be
   * called
   */
  call(tx: Tx, call: CallOfTask): Promise<'placed' | 'answered' | 'on_phone' | 'refused'>;
  /** Whether the call is up that the chat, or this task of its assignment, waits for. */
  isInCall(tx: Tx, chat: ChatRow, assignmentTaskId: number): Promise<boolean>;
}
