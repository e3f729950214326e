import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import { type ChatRow, findDirectChat } from '../../../db/conversations/chats.js';
import { lockSubject } from '../../../db/lock-subject.js';
import { findMember, type MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { openChat } from '../../chat-state/open-chat.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { type ChatView, viewChat } from './chat-view.js';

/**
 * Returns the direct chat of the caller and another member, and creates it if there is none: each pair has one,
 * whichever member opens it. One with a person needs `dm:write`. @throws InvalidInput, Forbidden, NotFound
 */
export async function openDirectChat(
  { db, clock, actor }: CommandContext,
  { memberId }: { memberId: number },
): Promise<ChatView> {
  if (memberId === actor.memberId) throw InvalidInput.field('/memberId', 'names yourself');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const other = await findMember(tx, memberId);
    // Checked before reporting that the member does not exist, so that a caller cannot probe which people exist.
    if (other?.kind !== 'assistant') actor.require('dm:write');
    if (other === undefined) throw new NotFound('Member');

    // The same key for both members of a pair.
    const dmKey = [actor.memberId, memberId].sort((one, other) => one - other).join(':');
    await lockSubject(tx, `dm:${dmKey}`);
    const chat =
      (await findDirectChat(tx, dmKey)) ?? (await openPair(tx, actor.memberId, other, dmKey, clock.now()));
    return viewChat(tx, actor, chat);
  });
}

/** An assistant answers the caller; in a chat with a person, the other person is the chat's member. */
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
