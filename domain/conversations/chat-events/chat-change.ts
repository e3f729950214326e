import type { MessageRow } from '../../../db/conversations/messages.js';
import type { ChatDetails } from '../chats/chat-view.js';

/** Something that happened in a chat and is told to those who follow it. The revision orders what happened. */
export type ChatChange =
  | { kind: 'message.created' | 'message.updated'; revision: number; message: MessageRow }
  | { kind: 'chat.updated'; revision: number; chat: ChatDetails };

/** All that happened after the revision `after`, up to the revision `upTo`, in order. */
export interface ChangeBatch {
  after: number;
  upTo: number;
  changes: readonly ChatChange[];
  /** False when there is more to read beyond `upTo`. */
  complete: boolean;
}
