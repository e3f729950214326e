import {
  insertMessage,
  type MessageAuthor,
  type MessageFile,
  type MessageRow,
} from '../../../db/conversations/messages.js';
import type { Performer } from '../performer.js';
import type { CallSituation } from './tool.js';

function authorOf({ by }: Performer): MessageAuthor {
  return by === 'agent' ? 'agent' : 'person';
}

/** Stores what a tool sends the member, as a message of its author. */
export function writeMessage(
  { tx, chat, machine, task, performer }: CallSituation,
  content: string,
  files: readonly MessageFile[] = [],
): Promise<MessageRow> {
  return insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    author: authorOf(performer),
    content,
    files: [...files],
    memberId: performer.memberId,
    taskId: machine === undefined ? null : task.id,
  });
}

/** Stores what colleagues and the agent of a later turn or call need to know. */
export function writeNote({ tx, chat, performer }: CallSituation, content: string): Promise<MessageRow> {
  return insertMessage(tx, { chatId: chat.id, role: 'system', author: authorOf(performer), content });
}
