import { lockChat } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { noteOfColleague } from './note-of-colleague.js';

/** Leaves a note in a chat. Nothing else of the chat changes: it waits, and the agent speaks, as before. @throws NotFound, Forbidden */
export async function leaveNote(
  { db, actor }: CommandContext,
  chatId: number,
  text: string,
): Promise<MessageRow> {
  actor.require('chats:write');
  if (text.trim() === '') throw InvalidInput.field('/text', 'must contain text');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await lockChat(tx, chatId)) === undefined) throw new NotFound('Chat');
    return noteOfColleague(tx, chatId, actor.memberId, text);
  });
}
