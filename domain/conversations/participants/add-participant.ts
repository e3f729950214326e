import { insertParticipants } from '../../../db/conversations/chat-details.js';
import { lockChat, patchChat } from '../../../db/conversations/chats.js';
import { countParticipants, isParticipant } from '../../../db/conversations/participants.js';
import { addChatFileReader } from '../../../db/files/file-attachments.js';
import { findMember } from '../../../db/people/members.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';

export interface AddParticipant {
  memberId: number;
  /** Default: `contributor`. */
  role?: string;
}

/** As many as a chat can be created with, and the member and the assistant. */
const maxParticipants = 52;

/**
 * Adds a member to a chat, which from then on may read it with its files, and write in it. Returns the id of the
 * participant.
 * @throws NotFound, Conflict `direct_chat`, InvalidInput `duplicate_participant`, `invalid_role`,
 *   `too_many_participants`
 */
export async function addParticipant(
  context: CommandContext,
  chatId: number,
  { memberId, role = 'contributor' }: AddParticipant,
): Promise<number> {
  const { db, actor } = context;
  actor.require('chats:write');
  // It decides who reads the chat: a caller that may not read it must not add itself, or another for it.
  actor.require('chats:read');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    if (chat.dmKey !== null) throw new Conflict('direct_chat', 'A direct chat is between two members.');
    const member = await findMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    requireFittingRole(member.kind, role);
    if (member.id === chat.memberId || (await isParticipant(tx, chat.id, member.id))) {
      throw InvalidInput.field('/memberId', 'takes part already', 'duplicate_participant');
    }
    if ((await countParticipants(tx, chat.id)) >= maxParticipants) {
      const message = `The chat has ${maxParticipants} participants, which is the most.`;
      throw new InvalidInput('too_many_participants', message);
    }
    const [added] = await insertParticipants(tx, chat.id, new Map([[member.id, role]]));
    if (added === undefined) throw new Error('no participant was inserted');
    recordAudit(tx, context, 'participant:added', { subject: ['chat', chat.id], names: [role] });
    if (member.kind === 'human') await addChatFileReader(tx, chat.id, member.id);
    await patchChat(tx, chat.id, {});
    return added.id;
  });
}

/** @throws InvalidInput `invalid_role` if a person is to be an assistant */
export function requireFittingRole(memberKind: 'human' | 'assistant', role: string): void {
  if (role === 'assistant' && memberKind !== 'assistant') {
    throw InvalidInput.field('/role', 'is for assistants', 'invalid_role');
  }
}
