import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import { type ChatRow, findDirectChat } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/database.js';
import { lockSubject } from '../../../db/lock-subject.js';
import { findMember, type MemberRow } from '../../../db/people/members.js';
import { openChat } from '../../chat-state/open-chat.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { type ChatView, viewChat } from './chat-view.js';

/**
 * The direct chat of the caller and another member, which is made if there is none: one for each pair, whoever asks
 * first. With an agent anybody may have one; with a person it needs the permission dm:write.
 *
 * @throws InvalidInput, Forbidden, NotFound
 */
export async function openDirectChat(
  { db, clock, actor }: CommandContext,
  { memberId }: { memberId: number },
): Promise<ChatView> {
  if (memberId === actor.memberId) throw InvalidInput.field('/memberId', 'names yourself');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const other = await findMember(tx, memberId);
    // Before it is said whether there is such a person.
    if (other?.kind !== 'assistant') actor.require('dm:write');
    if (other === undefined) throw new NotFound('Member');

    const dmKey = directChatKey(actor.memberId, memberId);
    await lockSubject(tx, `dm:${dmKey}`);
    const chat =
      (await findDirectChat(tx, dmKey)) ?? (await openPair(tx, actor.memberId, other, dmKey, clock.now()));
    return viewChat(tx, actor, chat);
  });
}

/** The same for both of a pair. */
function directChatKey(oneMemberId: number, otherMemberId: number): string {
  return [oneMemberId, otherMemberId].sort((one, other) => one - other).join(':');
}

/** An agent answers the caller; a person is written to. */
async function openPair(
  tx: Tx,
  memberId: number,
  other: MemberRow,
  dmKey: string,
  now: Date,
): Promise<ChatRow> {
  const common = { channel: 'web-chat', chatType: 'dm', createdByMemberId: memberId, dmKey } as const;
  if (other.kind === 'human') {
    const chat = { ...common, memberId: other.id, assistantEnabled: false };
    return (await openChat(tx, chat, now, new Map([[memberId, 'contributor']]))).chat;
  }
  const assistant = await findAssistantForChat(tx, { assistantMemberId: other.id });
  if (assistant?.memberId !== other.id) throw new NotFound('Assistant member');
  return (await openChat(tx, { ...common, memberId, assistantMemberId: other.id }, now)).chat;
}
