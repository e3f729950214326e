import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import { findMessageByUuid, type MessageRow } from '../../../db/conversations/messages.js';
import type { SiteVisitorRow } from '../../../db/identity/models/site-visitor.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import type { Tx } from '../../../db/tx.js';
import { openInboundChat } from '../../conversations/chats/open-inbound-chat.js';
import { takeUserMessage } from '../../conversations/chats/take-message.js';
import { lockAttachableFiles } from '../../files/attachments/lock-attachable-files.js';
import { InvalidInput, Unauthenticated } from '../../lib/errors.js';
import { standingOf } from './read-chat.js';
import type { VisitorContext } from './visitor-context.js';
import { countMessage } from './visitor-limits.js';
import { actorIn, addNobody, requireOffer } from './visitor-member.js';
import { endAfterUse } from './visitor-token.js';

export interface VisitorMessage {
  content: string;
  /** The uuid that the message gets: sent twice, it is stored once. */
  uuid: string;
  files?: readonly number[];
  /** Begin another chat if the last one is concluded. */
  newChat?: boolean;
  /** Of the page: the language of the member that the first message makes. */
  locale?: string;
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
      const pinned = await lockAttachableFiles(tx, actor, files);
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
  context: VisitorContext,
  tx: Tx,
  visitor: SiteVisitorRow,
  { newChat = false, locale }: VisitorMessage,
  now: Date,
): Promise<ChatRow> {
  const { db, site, workspaceId } = context;
  const current = visitor.chatId === null ? undefined : await lockChat(tx, visitor.chatId);
  if (current !== undefined && !(newChat && (await standingOf(tx, current)).concluded)) return current;
  const offered = await requireOffer(context, tx);
  const memberId = visitor.memberId ?? (await addNobody(tx, locale, now));
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
    { ...context, now },
  );
  const expiresAt = endAfterUse(visitor, now);
  const changes = { memberId, chatId: chat.id, lastUsedAt: now, expiresAt };
  await db.identity.siteVisitors.patch(visitor.id, changes, tx);
  const locked = await lockChat(tx, chat.id);
  if (locked === undefined) throw new Error(`chat ${chat.id} of workspace ${workspaceId} was not stored`);
  return locked;
}
