import { type DeliveryRow, lockDelivery, patchDelivery } from '../../../db/channels/deliveries.js';
import { findPhoneNumberByNumber } from '../../../db/channels/phone-numbers.js';
import { countAnswerOf, isSenderPaused, pauseSender, takeSlot } from '../../../db/channels/sender-paces.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { messageText } from '../message-text.js';
import { channelOf } from './channels.js';
import type { DeliveryRef } from './delivery-ref.js';

/** The SMS segments in a second of a number without a pace of its own: what carriers take from the slowest kind. */
export const defaultSegmentsPerSecond = 1;
/** How many segments a number that has rested may send at once; at least those of a second. */
const segmentsAtOnce = 10;
/** A slot that is longer past is missed: after an outage, many are, and take slots among those. */
const slotLastsMs = 60_000;
/** By how much answers delay what is begun at most. */
const maxDelayByAnswersSeconds = 60;
/** How long a sender begins nothing after the provider said that it is too fast, unless the provider said how long. */
const pauses = { defaultMs: 60_000, minMs: 1_000, maxMs: 5 * 60_000 };

type Written = Pick<MessageRow, 'content' | 'files'>;

/** When a message that begins an exchange has its slot; null: it needs none; undefined: not before it expires. */
export async function slotOf(
  tx: Tx,
  delivery: DeliveryRow,
  message: Written,
  now: Date,
): Promise<Date | null | undefined> {
  const segments = paceOf(delivery, message);
  if (segments === undefined) return null;
  const { sender, slotAt, expiresAt: latest } = delivery;
  const hasSlot = slotAt !== null && slotAt <= now && now.getTime() - slotAt.getTime() < slotLastsMs;
  if (hasSlot && !(await isSenderPaused(tx, sender, now))) return slotAt;
  const number = await findPhoneNumberByNumber(tx, sender);
  const perSecond = number?.segmentsPerSecond ?? defaultSegmentsPerSecond;
  const aheadSeconds = Math.max(segmentsAtOnce / perSecond, 1);
  const isLate = slotAt !== null;
  return takeSlot(tx, { sender, now, seconds: segments / perSecond, aheadSeconds, latest, isLate });
}

/** Counts an answer that is sent, so that later slots of the number are later. */
export async function countAnswer(tx: Tx, delivery: DeliveryRow, message: Written, now: Date): Promise<void> {
  const segments = paceOf(delivery, message);
  if (segments === undefined) return;
  const pace = {
    segmentsAtOnce,
    defaultPerSecond: defaultSegmentsPerSecond,
    maxSeconds: maxDelayByAnswersSeconds,
  };
  await countAnswerOf(tx, { sender: delivery.sender, now, segments, ...pace });
}

/** The provider takes no more from the sender for now: nothing is begun for a while, and answers go on. */
export async function slowDown(
  tx: Tx,
  { sender }: Pick<DeliveryRow, 'sender'>,
  now: Date,
  forMs?: number,
): Promise<Date> {
  const pause = Math.min(Math.max(forMs ?? pauses.defaultMs, pauses.minMs), pauses.maxMs);
  const until = new Date(now.getTime() + pause);
  await pauseSender(tx, sender, until);
  return until;
}

/** `slowDown` after a refusal because of the rate. A message that begins an exchange waits as long. */
export async function slowDownAfter(
  context: ServiceContext,
  ref: DeliveryRef,
  forMs: number | undefined,
): Promise<void> {
  const now = context.clock.now();
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery === undefined || channelOf(delivery).paceOf === undefined) return;
    const until = await slowDown(tx, delivery, now, forMs);
    if (delivery.state !== 'queued' || delivery.begunBy === null) return;
    await patchDelivery(tx, delivery.id, { notBefore: until });
  });
}

function paceOf(delivery: DeliveryRow, { content, files }: Written): number | undefined {
  return channelOf(delivery).paceOf?.(messageText(content), files.length > 0);
}
