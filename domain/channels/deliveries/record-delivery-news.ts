import { isOfOtherDelivery, lockDelivery, lockDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import { findMessageByUuid } from '../../../db/conversations/messages.js';
import type { ServiceContext } from '../../kernel/context.js';
import { deliveryStatusOf } from '../sms/delivery-status.js';
import type { DeliveryRef } from './claim-delivery.js';
import { type DeliveryNews, settleDelivery } from './settle-delivery.js';

/**
 * What the run learnt of an attempt by sending or by looking up. Where a callback was quicker, it has told more
 * already.
 */
export async function recordDeliveryNews(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
): Promise<void> {
  const now = context.clock.now();
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.attempts !== attempt) return;
    await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
  });
}

/**
 * What the run learnt of an attempt by looking it up. The look-up goes by text and time: a message that has turned out
 * to be another delivery's meanwhile is not this one's.
 *
 * @returns false in that case
 */
export async function recordFoundMessage(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'> & { carrierMessageId: string },
): Promise<boolean> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.attempts !== attempt) return true;
    if (await isOfOtherDelivery(tx, delivery, news.carrierMessageId)) return false;
    await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
    return true;
  });
}

export interface StatusCallback {
  workspaceId: number;
  messageUuid: string;
  /** Which attempt it speaks of: part of the callback's address. */
  attempt: number;
  carrierMessageId: string;
  /** The carrier's word: queued, sent, delivered, undelivered, … */
  carrierStatus: string;
  errorCode?: string;
}

/**
 * A status callback of the carrier. They come late, twice and out of order; one that speaks of another attempt
 * than the present one is ignored.
 */
export async function recordStatusCallback(context: ServiceContext, callback: StatusCallback): Promise<void> {
  const state = deliveryStatusOf(callback.carrierStatus);
  if (state === undefined) return;
  const now = context.clock.now();
  await context.db.inWorkspace(callback.workspaceId, async (tx) => {
    const message = await findMessageByUuid(tx, callback.messageUuid);
    if (message === undefined) return;
    const delivery = await lockDeliveryOfMessage(tx, message.id);
    if (delivery === undefined || delivery.state === 'queued') return;
    if (delivery.attempts !== callback.attempt) return;
    await settleDelivery(
      tx,
      delivery,
      {
        state,
        carrierMessageId: callback.carrierMessageId,
        learntBy: 'callback',
        ...(callback.errorCode === undefined ? {} : { errorCode: callback.errorCode }),
      },
      now,
    );
  });
}
