import {
  type DeliveryRow,
  findDeliveryByMessageUuid,
  isOfOtherDelivery,
  lockDelivery,
  patchDelivery,
} from '../../../db/channels/deliveries.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { deliveryStatusOf } from '../sms/delivery-status.js';
import { channelOf } from './channels.js';
import type { DeliveryRef } from './delivery-ref.js';
import { type DeliveryNews, isOldNews, settleDelivery } from './settle-delivery.js';

/**
 * Records the result of an attempt that the run sent or gave up. If a status callback or a report has settled the attempt,
 * the provider's id alone is noted: replies may name it.
 */
export async function recordDeliveryNews(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
): Promise<void> {
  const now = context.clock.now();
  await context.db.inWorkspace(ref.workspaceId, async (tx) =>
    recordIn(tx, await lockDelivery(tx, ref.deliveryId), attempt, news, now),
  );
}

/** `recordDeliveryNews` for a caller that holds the row's lock. */
export async function recordIn(
  tx: Tx,
  delivery: DeliveryRow | undefined,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
  now: Date,
): Promise<void> {
  if (delivery === undefined || delivery.attempts !== attempt) return;
  if (delivery.state === 'claimed') {
    await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
  } else if (news.carrierMessageId !== undefined) {
    await noteId(tx, delivery, news.carrierMessageId);
  }
}

async function noteId(tx: Tx, delivery: DeliveryRow, carrierMessageId: string): Promise<void> {
  const isOver = delivery.state !== 'queued';
  if (isOver && delivery.carrierMessageId === null)
    await patchDelivery(tx, delivery.id, { carrierMessageId });
  await channelOf(delivery).recordSent?.(tx, delivery, carrierMessageId);
}

/**
 * Records a message that a look-up, which compares text and time only, found for an attempt; returns false where
 * another delivery has got it meanwhile.
 */
export async function recordFoundMessage(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'> & { carrierMessageId: string },
): Promise<boolean> {
  const isFree = await whileIn('claimed', context, ref, attempt, async (tx, delivery, now) => {
    if (await isOfOtherDelivery(tx, delivery, news.carrierMessageId)) return false;
    await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
    return true;
  });
  return isFree ?? true;
}

/** Delay after sending at which the service asks the carrier for a receipt the second and last time. */
export const receiptPatienceMs = 48 * 3_600_000;

export async function findLateReceipt(
  context: ServiceContext,
  ref: DeliveryRef,
): Promise<(Pick<DeliveryRow, 'channel' | 'carrierMessageId'> & { attempt: number }) | undefined> {
  const delivery = await context.db.inWorkspace(ref.workspaceId, (tx) => lockDelivery(tx, ref.deliveryId));
  if (delivery?.state !== 'sent') return undefined;
  const { channel, attempts: attempt, carrierMessageId } = delivery;
  return { channel, attempt, carrierMessageId };
}

/** Without a receipt at the carrier either, it is asked once more at `receiptPatienceMs`; then `sent` stays. */
export async function recordLateReceipt(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
): Promise<void> {
  await whileIn('sent', context, ref, attempt, async (tx, delivery, now) => {
    if (news.state !== 'sent') return await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
    const last = new Date((delivery.sentAt?.getTime() ?? 0) + receiptPatienceMs);
    await patchDelivery(tx, delivery.id, { receiptDueAt: last > now ? last : null });
  });
}

/** Runs `work` with the delivery locked. Returns undefined instead if its state or its attempt has changed. */
export async function whileIn<Result>(
  state: 'claimed' | 'sent',
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  work: (tx: Tx, delivery: DeliveryRow, now: Date) => Promise<Result>,
): Promise<Result | undefined> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== state || delivery.attempts !== attempt) return undefined;
    return work(tx, delivery, now);
  });
}

export interface StatusCallback {
  workspaceId: number;
  messageUuid: string;
  attempt: number;
  carrierMessageId: string;
  carrierStatus: string;
  errorCode?: string;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Records a status callback, identified by the uuids in its URL. Callbacks arrive late, twice and out of order; one for an
 * attempt other than the current one is ignored, and so is that of an unknown message. Most tell what the carrier's answer
 * has told before, which is seen without a lock.
 */
export async function recordStatusCallback(
  context: ServiceContext,
  { workspaceId, messageUuid, attempt, carrierStatus, carrierMessageId, errorCode }: StatusCallback,
): Promise<void> {
  const state = deliveryStatusOf(carrierStatus);
  if (state === undefined || !uuidForm.test(messageUuid)) return;
  const now = context.clock.now();
  const isNews = (known: Pick<DeliveryRow, 'state' | 'attempts' | 'failureReason'>) =>
    known.state !== 'queued' && known.attempts === attempt && !isOldNews(known, { state });
  await context.db.inWorkspace(workspaceId, async (tx) => {
    const known = await findDeliveryByMessageUuid(tx, messageUuid, 'phone-sms');
    if (known === undefined || !isNews(known)) return;
    const delivery = await lockDelivery(tx, known.id);
    if (delivery === undefined || !isNews(delivery)) return;
    const news = { state, carrierMessageId, ...(errorCode === undefined ? {} : { errorCode }) };
    await settleDelivery(tx, delivery, { ...news, learntBy: 'callback' }, now);
  });
}
