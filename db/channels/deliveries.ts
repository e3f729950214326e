import { prepared, statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { DeliveryModel, type DeliveryRow } from './models/delivery.js';

export type { DeliveryRow, DeliveryState } from './models/delivery.js';

export async function insertDelivery(
  tx: Tx,
  delivery: Pick<
    DeliveryRow,
    'chatId' | 'messageId' | 'channel' | 'purpose' | 'sender' | 'recipient' | 'expiresAt' | 'orderGroup'
  > &
    Partial<Pick<DeliveryRow, 'begunBy' | 'countsAsBegun' | 'endedWait'>>,
): Promise<DeliveryRow> {
  return DeliveryModel.insert(tx, delivery);
}

export async function findDelivery(tx: Tx, deliveryId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.find(tx, deliveryId);
}

export async function lockDelivery(tx: Tx, deliveryId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.first(tx, 'id = ? for update', [deliveryId]);
}

/** `lockDelivery`, and all deliveries of its chat that are claimed: a row is locked in the order of ids, and before any message. */
export async function lockDeliveryBesideClaimed(
  tx: Tx,
  { chatId, deliveryId }: { chatId: number; deliveryId: number },
): Promise<DeliveryRow | undefined> {
  const text = `chat_id = ? and (state = 'claimed' or id = ?) order by id for update`;
  const locked = await DeliveryModel.where(tx, text, [chatId, deliveryId]);
  return locked.find(({ id }) => id === deliveryId);
}

/** What is known of the only delivery of a message on a channel that has one recipient for each message. */
export async function findDeliveryByMessageUuid(
  tx: Tx,
  messageUuid: string,
  channel: DeliveryRow['channel'],
): Promise<Pick<DeliveryRow, 'id' | 'state' | 'attempts' | 'failureReason'> | undefined> {
  const [found] = await prepared<Pick<DeliveryRow, 'id' | 'state' | 'attempts' | 'failureReason'>>(
    tx,
    `select d.id, d.state, d.attempts, d.failure_reason as "failureReason"
     from messages m join deliveries d on d.message_id = m.id where m.uuid = ? and d.channel = ?`,
    [messageUuid, channel],
  );
  return found;
}

/** The deliveries of a message, one for each recipient. */
export async function selectDeliveriesOfMessage(tx: Tx, messageId: number): Promise<DeliveryRow[]> {
  return DeliveryModel.where(tx, 'message_id = ? order by id', [messageId]);
}

export async function findDeliveryOfMessage(tx: Tx, messageId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.first(tx, 'message_id = ?', [messageId]);
}

export async function patchDelivery(
  tx: Tx,
  deliveryId: number,
  changes: Partial<DeliveryRow>,
): Promise<DeliveryRow> {
  return DeliveryModel.patch(tx, deliveryId, { ...changes, updatedAt: new Date() });
}

/** Whether one of the messages is yet to be sent, and by this time may be. */
export async function isBeingSent(tx: Tx, messageIds: readonly number[], by: Date): Promise<boolean> {
  const unsettled = `message_id = any(?) and state in ('queued', 'claimed')
    and (not_before is null or not_before <= ?)`;
  return DeliveryModel.exists(tx, unsettled, [messageIds, by]);
}

export async function selectOpenDeliveries(tx: Tx, chatId: number): Promise<DeliveryRow[]> {
  const open = `chat_id = ? and state in ('queued', 'claimed', 'sent') order by id`;
  return DeliveryModel.where(tx, open, [chatId]);
}

/**
 * The chat's deliveries that the carrier does not have yet, in order. Where there are none, or all wait for a time, also
 * the one whose receipt was due first.
 */
export async function selectDueDeliveries(tx: Tx, chatId: number, now: Date): Promise<DeliveryRow[]> {
  const isUnsent = `chat_id = ? and state in ('queued', 'claimed') order by id`;
  const unsent = await DeliveryModel.where(tx, isUnsent, [chatId]);
  const waits = ({ state, notBefore }: DeliveryRow) =>
    state === 'queued' && notBefore !== null && notBefore > now;
  if (!unsent.every(waits)) return unsent;
  const isLate = 'chat_id = ? and receipt_due_at <= ? order by receipt_due_at';
  const late = await DeliveryModel.first(tx, isLate, [chatId, now]);
  return late === undefined ? unsent : [...unsent, late];
}

/** Counts, up to `most`, the messages that were queued for a number since a time, except one delivery. */
export async function countDeliveriesTo(
  tx: Tx,
  recipient: string,
  { since, except, most }: { since: Date; except: number; most: number },
): Promise<number> {
  return DeliveryModel.countUpTo(tx, most, 'recipient = ? and created_at > ? and id <> ?', [
    recipient,
    since,
    except,
  ]);
}

/** Counts, up to `most`, the texts that the workspace has begun since a time, to a number or to all. */
export async function countStartedTexts(
  tx: Tx,
  { since, recipient, most }: { since: Date; recipient?: string; most: number },
): Promise<number> {
  const begun = 'counts_as_begun and created_at > ?';
  if (recipient === undefined) return DeliveryModel.countUpTo(tx, most, begun, [since]);
  return DeliveryModel.countUpTo(tx, most, `recipient = ? and ${begun}`, [recipient, since]);
}

/** Whether the workspace has written to a number in an SMS chat of a member, from one of its own. */
export async function hasBeenTexted(
  tx: Tx,
  recipient: string,
  { memberId, phoneNumberId }: { memberId: number; phoneNumberId: number },
): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from deliveries d join chats c on c.id = d.chat_id
     where d.recipient = ? and c.member_id = ? and c.phone_number_id = ? and c.channel = 'phone-sms' limit 1`,
    [recipient, memberId, phoneNumberId],
  );
  return found.length > 0;
}

/** Whether a delivery by the same channel was queued in the chat after the member had written again. */
export async function hasDeliveryOfLaterGroup(
  tx: Tx,
  { id, chatId, channel, orderGroup }: Pick<DeliveryRow, 'id' | 'chatId' | 'channel' | 'orderGroup'>,
): Promise<boolean> {
  const later = 'chat_id = ? and channel = ? and id > ? and order_group is not null';
  const bindings = [chatId, channel, id];
  if (orderGroup === null) return DeliveryModel.exists(tx, later, bindings);
  return DeliveryModel.exists(tx, `${later} and order_group > ?`, [...bindings, orderGroup]);
}

/** Until when an earlier delivery of the same order group to the same recipient is held. */
export async function findHoldBefore(
  tx: Tx,
  { id, chatId, recipient, orderGroup }: DeliveryRow,
  now: Date,
): Promise<Date | undefined> {
  const held = await DeliveryModel.first(
    tx,
    `chat_id = ? and state = 'queued' and recipient = ? and id < ? and held_until > ?
     and order_group is not distinct from ? order by held_until desc`,
    [chatId, recipient, id, now, orderGroup],
  );
  return held?.heldUntil ?? undefined;
}

export interface RecipientAttempt {
  deliveryId: number;
  sender: string;
  /** Null once there is a result. */
  unknownSince: Date | null;
  carrierMessageId: string | null;
  isSameText: boolean;
}

/** Lists the newest attempts to reach a delivery's recipient, including its own, in the order of their claims. */
export async function selectAttemptsToRecipient(
  tx: Tx,
  { recipient, messageId }: Pick<DeliveryRow, 'recipient' | 'messageId'>,
  limit: number,
): Promise<RecipientAttempt[]> {
  // One statement, because its snapshot shows each attempt either without a result or with the carrier's id.
  return statement<RecipientAttempt>(
    tx,
    `select d.id as "deliveryId", d.sender, case d.state when 'claimed' then d.claimed_at end as "unknownSince",
       d.carrier_message_id as "carrierMessageId", m.content = own.content as "isSameText"
     from (
       select * from deliveries
       where recipient = ? and (state = 'claimed' or carrier_message_id is not null)
       order by id desc limit ?
     ) as d
     join messages m on m.id = d.message_id join messages own on own.id = ?
     order by d.claimed_at, d.id`,
    [recipient, limit, messageId],
  );
}

export async function isOfOtherDelivery(
  tx: Tx,
  { id, recipient }: Pick<DeliveryRow, 'id' | 'recipient'>,
  carrierMessageId: string,
): Promise<boolean> {
  const other = 'recipient = ? and carrier_message_id = ? and id <> ?';
  return DeliveryModel.exists(tx, other, [recipient, carrierMessageId, id]);
}

/** Records that an attempt ended without a result. @returns false when its result has arrived meanwhile */
export async function recordOutcomeUnknown(tx: Tx, deliveryId: number): Promise<boolean> {
  const claimed = `id = ? and state = 'claimed'`;
  return (await DeliveryModel.updateWhere(tx, { outcomeUnknown: true }, claimed, [deliveryId])) === 1;
}
