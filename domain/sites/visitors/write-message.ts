import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import { findMessageByUuid, type MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import type { SiteVisitorRow } from '../../../db/identity/site-visitors.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { pinSite } from '../../../db/sites/sites.js';
import { violatedConstraint } from '../../../db/violated-constraint.js';
import { openInboundChat } from '../../conversations/chats/open-inbound-chat.js';
import { takeUserMessage } from '../../conversations/chats/take-message.js';
import { pinAttachable } from '../../files/attachments/pin-attachable.js';
import { InvalidInput, NotFound, Unauthenticated } from '../../lib/errors.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { notOffered } from './begin-visit.js';
import { offeredChat } from './offered-chat.js';
import { standingOf } from './read-chat.js';
import { actorOfVisitor, type VisitorContext } from './visitor-context.js';
import { countMessage } from './visitor-limits.js';
import { endAfterUse } from './visitor-token.js';

export interface VisitorMessage {
  content: string;
  /** The uuid that the message gets: sent twice, it is stored once. */
  uuid: string;
  files?: readonly number[];
  /** Begin another chat if the last one is concluded. */
  newChat?: boolean;
}

/**
 * Stores a message of a visitor, which an agent or a person answers. The first one makes the visitor a member without a name,
 * and begins its chat. @throws InvalidInput, Conflict `chat_not_offered`, TooManyRequests
 */
export async function writeMessage(context: VisitorContext, message: VisitorMessage): Promise<MessageRow> {
  const { db, clock, workspaceId, site, visitor, address } = context;
  const { content, files = [] } = message;
  if (content.trim() === '' && files.length === 0) throw InvalidInput.field('/content', 'must contain text');
  const known = await repeated(context, message.uuid);
  if (known !== undefined) return known;
  const begins = visitor.chatId === null || message.newChat === true;
  await countMessage(context, { site, address, visitorId: visitor.id }, { begins });
  const now = clock.now();
  try {
    return await db.inWorkspace(workspaceId, async (tx) => {
      const locked = await db.identity.siteVisitors.lock(visitor.id, tx);
      if (locked === undefined) throw new Unauthenticated();
      const chat = await chatFor(context, tx, locked, message, now);
      const again = await findMessageByUuid(tx, message.uuid);
      if (again?.chatId === chat.id) return again;
      const actor = await actorIn(context, tx, chat.memberId);
      const pinned = await pinAttachable(tx, actor, files);
      const { uuid } = message;
      return takeUserMessage(tx, chat, { uuid, content, authorMemberId: chat.memberId, files: pinned }, now);
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'messages_uuid_key') throw error;
    throw InvalidInput.field('/uuid', 'is that of another message', 'duplicate');
  }
}

/** A message that the visitor has sent before, which is no new message for its limits either. */
async function repeated(
  { db, workspaceId, actor }: VisitorContext,
  uuid: string,
): Promise<MessageRow | undefined> {
  if (actor === undefined) return undefined;
  const found = await db.readInWorkspace(workspaceId, (tx) => findMessageByUuid(tx, uuid));
  return found?.memberId === actor.memberId ? found : undefined;
}

async function chatFor(
  { db, site, workspaceId }: VisitorContext,
  tx: Tx,
  visitor: SiteVisitorRow,
  { newChat = false }: VisitorMessage,
  now: Date,
): Promise<ChatRow> {
  const current = visitor.chatId === null ? undefined : await lockChat(tx, visitor.chatId);
  if (current !== undefined && !(newChat && (await standingOf(tx, current)).concluded)) return current;
  // The site may have been changed, withdrawn or deleted since the request was let in.
  const asItIs = await pinSite(tx, site.id);
  if (asItIs === undefined) throw new NotFound('Site');
  const offered = await offeredChat(tx, asItIs);
  if (offered === undefined) throw notOffered();
  const memberId = visitor.memberId ?? (await addNobody(tx, now));
  const chat = await openInboundChat(
    tx,
    {
      channel: 'web-chat',
      memberId,
      phoneNumberId: null,
      inboxId: null,
      title: null,
      siteId: site.id,
      ...offered,
    },
    now,
  );
  const expiresAt = endAfterUse(visitor, now);
  const changes = { memberId, chatId: chat.id, lastUsedAt: now, expiresAt };
  await db.identity.siteVisitors.patch(visitor.id, changes, tx);
  const locked = await lockChat(tx, chat.id);
  if (locked === undefined) throw new Error(`chat ${chat.id} of workspace ${workspaceId} was not stored`);
  return locked;
}

/** A person of whom nothing is known, and nothing is proved. */
async function addNobody(tx: Tx, now: Date): Promise<number> {
  const role = defaultMemberRole(await selectMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const [added] = await addMembers(tx, { now }, [{ values: { memberRoleId: role.id }, isVouchedFor: false }]);
  if (added?.status !== 'created') throw new Error('a member without identifiers was not added');
  return added.member.id;
}

async function actorIn({ workspaceId, workspaceUuid, visitor }: VisitorContext, tx: Tx, memberId: number) {
  const member = await findMember(tx, memberId);
  if (member === undefined || member.disabledAt !== null) throw new Unauthenticated();
  const { memberRoleId } = member;
  return actorOfVisitor({ workspaceId, workspaceUuid, memberId, memberRoleId, visitorId: visitor.id });
}
