import type { MessageRow } from '../../../db/conversations/messages.js';
import type { ChatDetails } from '../chats/chat-view.js';

/** A change in a chat, as it is sent to followers. Revisions order the changes of a chat. */
export type ChatChange =
  | { kind: 'message.created' | 'message.updated'; revision: number; message: MessageRow }
  | { kind: 'chat.updated'; revision: number; chat: ChatDetails };

/** All changes after the revision `after`, up to and including `upTo`, in order. */
export interface ChangeBatch {
  after: number;
  upTo: number;
  changes: readonly ChatChange[];
  /** False if there are more changes after `upTo`. */
  complete: boolean;
}
