import { lockDelivery, updateDelivery } from '../../db/queries/deliveries.js';
import { findMemberOfChat } from '../../db/queries/members.js';
import { findMessage } from '../../db/queries/messages.js';
import { hasOptedOut } from '../../db/queries/sms-opt-outs.js';
import { isClaimedByAnother } from '../at-most-once.js';
import type { ServiceContext } from '../context.js';
import { messageText } from '../messages/message-text.js';
import { settleDelivery } from './settle-delivery.js';

export interface DeliveryRef {
  workspaceId: number;
  deliveryId: number;
}

export type DeliveryClaim =
  | {
      kind: 'claimed';
      workspaceUuid: string;
      messageUuid: string;
      attempt: number;
      from: string;
      to: string;
      body: string;
    }
  | { kind: 'claimed_before' }
  | { kind: 'settled' };

/**
 * Takes the one attempt at a delivery, before the carrier is asked: at most once after this. Opt-out, and that the member
 * was not deleted, are checked here, at the moment of sending. An attempt that another token claimed and that has no
 * result may have gone out: it is never taken again.
 */
export async function claimDelivery(
  context: ServiceContext,
  ref: DeliveryRef,
  token: string,
): Promise<DeliveryClaim> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery === undefined) return { kind: 'settled' };
    if (isClaimedByAnother(delivery, token)) {
      return { kind: delivery.state === 'claimed' ? 'claimed_before' : 'settled' };
    }
    if (delivery.state !== 'queued' && delivery.state !== 'claimed') return { kind: 'settled' };

    const [optedOut, member, message, workspace] = await Promise.all([
      hasOptedOut(tx, delivery.recipient, delivery.sender),
      findMemberOfChat(tx, delivery.chatId),
      findMessage(tx, delivery.messageId),
      context.db.identity.workspaces.findById(ref.workspaceId, tx),
    ]);
    if (optedOut || member === undefined) {
      const failureReason = optedOut ? 'opted_out' : 'member_deleted';
      await settleDelivery(tx, delivery, { state: 'failed', failureReason, learntBy: 'run' }, now);
      return { kind: 'settled' };
    }
    if (message === undefined || workspace === undefined) return { kind: 'settled' };
    const attempt = delivery.state === 'claimed' ? delivery.attempts : delivery.attempts + 1;
    await updateDelivery(tx, delivery.id, {
      state: 'claimed',
      claimedAt: now,
      claimToken: token,
      outcomeUnknown: false,
      lookUps: 0,
      attempts: attempt,
    });
    return {
      kind: 'claimed',
      workspaceUuid: workspace.uuid,
      messageUuid: message.uuid,
      attempt,
      from: delivery.sender,
      to: delivery.recipient,
      body: messageText(message.content),
    };
  });
}

/**
 * Gives a claim back: the carrier certainly did not take the message.
 *
 * @param counts false where the carrier did not look at it at all: then it was no attempt
 */
export async function releaseDelivery(
  context: ServiceContext,
  ref: DeliveryRef,
  { token, counts }: { token: string; counts: boolean },
): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.claimToken !== token) return;
    await updateDelivery(tx, delivery.id, {
      state: 'queued',
      claimedAt: null,
      claimToken: null,
      attempts: counts ? delivery.attempts : delivery.attempts - 1,
    });
  });
}
