import { patchChat } from '../../../db/conversations/chats.js';
import { deleteParticipant } from '../../../db/conversations/participants.js';
import { removeChatFileReader } from '../../../db/files/file-attachments.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockParticipant, requireReplaceable } from './update-participant.js';

/**
 * Removes a participant, which can no longer read the chat and its files unless something else lets it. Its messages
 * stay.
 * @throws NotFound, Conflict `participant_required`
 */
export async function removeParticipant(
  context: CommandContext,
  chatId: number,
  participantId: number,
): Promise<void> {
  const { db, actor } = context;
  actor.require('chats:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { chat, participant } = await lockParticipant(tx, chatId, participantId);
    requireReplaceable(chat, participant);
    await deleteParticipant(tx, participant.id);
    recordAudit(tx, context, 'participant:removed', { subject: ['chat', chat.id] });
    await removeChatFileReader(tx, chat.id, participant.memberId);
    await patchChat(tx, chat.id, {});
  });
}
