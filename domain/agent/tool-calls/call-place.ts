import type { ChatRow } from '../../../db/conversations/chats.js';
import { changeChat, type EnteringMachine } from '../../assignments/machine/machine.js';
import type { OutreachContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';
import type { Performer } from '../performer.js';
import type { CallAttempt } from '../requests/claim-attempt.js';

export interface ToolCallRef {
  workspaceId: number;
  chatId: number;
  toolCallId: string;
}

/** What tools need beside rows. */
export interface ToolContext extends OutreachContext {
  /** Decrypts the secrets of requests and the tokens of remote servers; absent: none has one. */
  encryption?: Encryption;
}

/** Where a tool is called, and by whom. The row locks of the chat and of the assignment are held. */
export interface CallPlace {
  chat: ChatRow;
  machine: EnteringMachine | undefined;
  performer: Performer;
  /** The message with the call. */
  messageId: number;
  now: Date;
}

/** The attempt of the agent's turn to run a call. */
export type Attempt = CallAttempt & { turnVersion: number; isApproved: boolean };

/** The call has no result yet: a colleague has to approve it. */
export type Waiting = { kind: 'waiting' };

export async function takeChat(place: CallPlace, chat: ChatRow): Promise<void> {
  place.chat = chat;
  if (place.machine !== undefined) await changeChat(place.machine, async () => chat);
}
