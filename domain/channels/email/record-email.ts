import { randomUUID } from 'node:crypto';
import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { type EmailRow, findLatestEmail, insertEmail } from '../../../db/channels/emails.js';
import { findInboxByAddress } from '../../../db/channels/inboxes.js';
import { workflowNameOfChat } from '../../../db/conversations/chat-details.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { type MessageRow, patchMessage } from '../../../db/conversations/messages.js';
import { workspaceNameOf } from '../../../db/identity/workspaces.js';
import type { Tx } from '../../../db/tx.js';
import { domainOf } from '../inboxes/inbox-address.js';
import { makeToken } from './addresses.js';
import { asSubject, replySubject } from './subject.js';

/** Of a thread's ids, as many as mail programs need: the first, which names the thread, and the newest. */
const maxReferences = 20;

/**
 * Stores the email of a delivery that is queued: its ids and tokens are the same in each attempt. A trigger notes its link for
 * unsubscribing. The caller holds the
 * chat's row lock, so that the emails of a chat follow one another.
 */
export async function recordEmail(
  tx: Tx,
  {
    chat,
    message,
    delivery,
    subject,
    now,
  }: {
    chat: ChatRow;
    message: MessageRow;
    delivery: DeliveryRow;
    /** It begins a thread of its own. By default the email continues the thread of the chat. */
    subject?: string | undefined;
    now: Date;
  },
): Promise<void> {
  const inbox = await findInboxByAddress(tx, delivery.sender);
  if (inbox === undefined) throw new Error('an email was queued without an inbox');
  const latest = subject === undefined ? await findLatestEmail(tx, chat.id) : undefined;
  const automatic = message.author !== 'person';
  const rfcMessageId = `${randomUUID()}@${domainOf(inbox.address)}`;
  const email = await insertEmail(tx, {
    inboxId: inbox.id,
    chatId: chat.id,
    messageId: message.id,
    deliveryId: delivery.id,
    direction: 'out',
    rfcMessageId,
    inReplyTo: latest === undefined ? null : (idsOf(latest).at(-1) ?? null),
    referenceIds: [...threadOf(latest), rfcMessageId],
    subject:
      latest === undefined
        ? asSubject(subject ?? chat.title ?? (await workflowOrWorkspace(tx, chat)))
        : replySubject(latest.subject),
    fromAddress: inbox.address,
    fromName: inbox.fromName,
    toAddress: delivery.recipient,
    replyToken: makeToken(),
    returnToken: makeToken(),
    // A person's own message, and a reply, are not what one unsubscribes from.
    ...(automatic && delivery.purpose !== 'reply' ? { unsubscribeToken: makeToken() } : {}),
    begunAttempt: 0,
    automatic,
    createdAt: now,
  });
  if (message.emailId === null) await patchMessage(tx, message.id, { emailId: email.id, inboxId: inbox.id });
}

/** What a first email is about, where its chat has no title: its workflow, else the organization. */
async function workflowOrWorkspace(tx: Tx, { id, definitionId }: ChatRow): Promise<string> {
  return (await workflowNameOfChat(tx, { id, definitionId })) ?? workspaceNameOf(tx);
}

/** The ids before an answer to an email. */
function threadOf(latest: EmailRow | undefined): string[] {
  if (latest === undefined) return [];
  const ids = [...new Set([...latest.referenceIds, ...idsOf(latest)])];
  return ids.length < maxReferences ? ids : [...ids.slice(0, 1), ...ids.slice(2 - maxReferences)];
}

/** What an email is known by: last the id that its recipient sees. */
function idsOf({ rfcMessageId, relayMessageId }: EmailRow): string[] {
  return [rfcMessageId, relayMessageId].filter((id) => id !== null);
}
