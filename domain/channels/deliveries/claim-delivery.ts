import { type DeliveryRow, lockDelivery, patchDelivery } from '../../../db/channels/deliveries.js';
import { patchEmail } from '../../../db/channels/emails.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { findMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type EmailToSend, emailToSend } from '../email/email-to-send.js';
import { messageText } from '../message-text.js';
import { claimUnderLock, holdOptOuts } from '../outreach/claim-under-lock.js';
import { type OutreachRefusal, refusalOf } from '../outreach/gate.js';
import type { DeliveryRef } from './delivery-ref.js';
import { isExpired, reviveAfterHold, validitySeconds } from './life-span.js';
import { findMediaOf, type MessageMedia } from './message-media.js';
import { type NextDelivery, nextDeliveryIn } from './next-delivery.js';
import { countAnswer } from './pace.js';
import { settleDelivery } from './settle-delivery.js';

export type DeliveryClaim =
  | {
      kind: 'claimed';
      channel: DeliveryRow['channel'];
      workspaceUuid: string;
      messageUuid: string;
      attempt: number;
      from: string;
      to: string;
      body: string;
      media: MessageMedia[];
      validitySeconds: number;
      /** The name below which the carrier calls back. */
      publicPath: string | undefined;
      /** Of an email. */
      email?: EmailToSend;
    }
  | { kind: 'claimed_before' }
  | { kind: 'settled' };

/**
 * Claims an attempt before the request to the carrier; checks gate, expiry and files again. An attempt that another token
 * claimed and that has no result may have been sent, so it is never claimed again.
 */
export async function claimDelivery(
  context: ServiceContext,
  ref: DeliveryRef,
  token: string,
): Promise<DeliveryClaim> {
  return claimUnderLock(context.db, ref.workspaceId, (tx) => claimDeliveryIn(context, tx, ref, token));
}

/** The next action of a chat, and of an attempt that waits for nothing its claim. */
export type ClaimedNext = NextDelivery & { claim?: DeliveryClaim };

/**
 * Finds the next action and claims the attempt, if it is one that needs no time and no place, in one transaction.
 * @param onClaimed called before the commit of a claim, whose answer may be lost
 */
export async function claimNext(
  context: ServiceContext,
  { workspaceId, chatId }: { workspaceId: number; chatId: number },
  token: string,
  onClaimed?: () => void,
): Promise<ClaimedNext> {
  return claimUnderLock(context.db, workspaceId, async (tx): Promise<ClaimedNext> => {
    const next = await nextDeliveryIn(tx, { chatId }, context.clock.now(), token);
    if (next.kind !== 'send' || next.begins === true || next.needsPlace === true) return next;
    const { deliveryId } = next;
    const claim = await claimDeliveryIn(context, tx, { workspaceId, deliveryId }, token);
    if (claim.kind === 'claimed') onClaimed?.();
    return { ...next, claim };
  });
}

async function claimDeliveryIn(
  context: ServiceContext,
  tx: Tx,
  ref: DeliveryRef,
  token: string,
): Promise<DeliveryClaim> {
  const now = context.clock.now();
  const found = await lockDelivery(tx, ref.deliveryId);
  if (found === undefined) return { kind: 'settled' };
  const delivery = await reviveAfterHold(tx, found, now);
  if (isClaimedByAnother(delivery, token)) {
    return { kind: delivery.state === 'claimed' ? 'claimed_before' : 'settled' };
  }
  if (delivery.state !== 'queued' && delivery.state !== 'claimed') return { kind: 'settled' };

  const chat = await findChat(tx, delivery.chatId);
  const memberId = chat?.memberId ?? null;
  await holdOptOuts(tx, { memberId, recipient: delivery.recipient });
  const { workspaces, organizations } = context.db.identity;
  const [failureReason, message, workspace, organization] = await Promise.all([
    refusal(tx, delivery, chat, now),
    findMessage(tx, delivery.messageId),
    workspaces.findById(ref.workspaceId, tx),
    organizations.findByWorkspace(ref.workspaceId, tx),
  ]);
  const fail = async (reason: string): Promise<DeliveryClaim> => {
    await settleDelivery(tx, delivery, { state: 'failed', failureReason: reason, learntBy: 'run' }, now);
    return { kind: 'settled' };
  };
  if (failureReason !== undefined) return fail(failureReason);
  if (message === undefined || workspace === undefined) return { kind: 'settled' };
  const media = await findMediaOf(tx, message);
  // Without the file, the member would be told to see what is not there.
  if (media === undefined) return fail('file_deleted');
  const email = delivery.channel === 'email' ? await emailToSend(tx, delivery, workspace) : undefined;
  if (delivery.channel === 'email' && email === undefined) return fail('missing_inbox');
  const attempt = delivery.state === 'claimed' ? delivery.attempts : delivery.attempts + 1;
  await patchDelivery(tx, delivery.id, {
    state: 'claimed',
    claimedAt: now,
    claimToken: token,
    outcomeUnknown: false,
    lookUps: 0,
    attempts: attempt,
  });
  if (email !== undefined) await patchEmail(tx, email.emailId, { begunAttempt: attempt });
  if (delivery.begunBy === null) await countAnswer(tx, delivery, message, now);
  return {
    kind: 'claimed',
    channel: delivery.channel,
    workspaceUuid: workspace.uuid,
    messageUuid: message.uuid,
    attempt,
    from: delivery.sender,
    to: delivery.recipient,
    body: messageText(message.content),
    media,
    validitySeconds: validitySeconds(delivery.expiresAt, now),
    publicPath: organization?.publicPath ?? undefined,
    ...(email === undefined ? {} : { email }),
  };
}

async function refusal(
  tx: Tx,
  delivery: DeliveryRow,
  chat: ChatRow | undefined,
  now: Date,
): Promise<OutreachRefusal | 'expired' | undefined> {
  const { purpose, channel, recipient, id: deliveryId } = delivery;
  if (chat === undefined) return 'member_deleted';
  // The gate first: an expired message to a member who was deleted is for nobody.
  const refused = await refusalOf(tx, {
    purpose,
    channel,
    memberId: chat.memberId,
    recipient,
    now,
    deliveryId,
    ...(channel === 'phone-sms' && { sender: delivery.sender, isStarted: delivery.countsAsBegun }),
  });
  if (refused !== undefined || delivery.state !== 'queued') return refused;
  return (await isExpired(tx, delivery, now)) ? 'expired' : undefined;
}

/** Releases a claim that the carrier has definitely not accepted. `counts`: false if it did not look at the request. */
export async function releaseDelivery(
  context: ServiceContext,
  ref: DeliveryRef,
  { token, counts }: { token: string; counts: boolean },
): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.claimToken !== token) return;
    await patchDelivery(tx, delivery.id, {
      state: 'queued',
      claimedAt: null,
      claimToken: null,
      attempts: counts ? delivery.attempts : delivery.attempts - 1,
    });
  });
}
