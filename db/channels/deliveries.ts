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
  return DeliveryModel.query(tx)
    .insert({ ...delivery, workspaceId: tx.workspaceId })
    .returning('*');
}

export async function findDelivery(tx: Tx, deliveryId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findById(deliveryId);
}

export async function lockDelivery(tx: Tx, deliveryId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findById(deliveryId).forUpdate();
}

/** The only delivery of a message on a channel that has one recipient for each message. */
export async function lockDeliveryOfMessage(
  tx: Tx,
  messageId: number,
  channel: DeliveryRow['channel'],
): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findOne({ message_id: messageId, channel }).forUpdate();
}

/** The deliveries of a message, one for each recipient. */
export async function selectDeliveriesOfMessage(tx: Tx, messageId: number): Promise<DeliveryRow[]> {
  return DeliveryModel.query(tx).where({ message_id: messageId }).orderBy('id');
}

export async function findDeliveryOfMessage(tx: Tx, messageId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findOne({ message_id: messageId });
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
  const unsettled = DeliveryModel.query(tx)
    .whereIn('message_id', [...messageIds])
    .whereIn('state', ['queued', 'claimed'])
    .where((waits) => waits.whereNull('not_before').orWhere('not_before', '<=', by));
  return (await unsettled.first().select('id')) !== undefined;
}

export async function selectOpenDeliveries(tx: Tx, chatId: number): Promise<DeliveryRow[]> {
  return DeliveryModel.query(tx)
    .where({ chat_id: chatId })
    .whereIn('state', ['queued', 'claimed', 'sent'])
    .orderBy('id');
}

/**
 * The chat's deliveries that the carrier does not have yet, in order. Where there are none, or all wait for a time, also
 * the one whose receipt was due first.
 */
export async function selectDueDeliveries(tx: Tx, chatId: number, now: Date): Promise<DeliveryRow[]> {
  const ofChat = () => DeliveryModel.query(tx).where({ chat_id: chatId });
  const unsent = await ofChat().whereIn('state', ['queued', 'claimed']).orderBy('id');
  const waits = ({ state, notBefore }: DeliveryRow) =>
    state === 'queued' && notBefore !== null && notBefore > now;
  if (!unsent.every(waits)) return unsent;
  const late = await ofChat().where('receipt_due_at', '<=', now).orderBy('receipt_due_at').limit(1);
  return [...unsent, ...late];
}

/** Counts, up to `most`, the messages that were queued for a number since a time, except one delivery. */
export async function countDeliveriesTo(
  tx: Tx,
  recipient: string,
  { since, except, most }: { since: Date; except: number; most: number },
): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    `select count(*) as count from (
       select 1 from deliveries where recipient = ? and created_at > ? and id <> ? limit ?
     ) as queued`,
    [recipient, since, except, most],
  );
  return row?.count ?? 0;
}

/** Counts, up to `most`, the texts that the workspace has begun since a time, to a number or to all. */
export async function countBegunTexts(
  tx: Tx,
  { since, recipient, most }: { since: Date; recipient?: string; most: number },
): Promise<number> {
  const [ofNumber, values] = recipient === undefined ? ['', []] : ['recipient = ? and', [recipient]];
  const [row] = await prepared<{ count: number }>(
    tx,
    `select count(*) as count from (
       select from deliveries where ${ofNumber} counts_as_begun and created_at > ? limit ?
     ) as begun`,
    [...values, since, most],
  );
  return row?.count ?? 0;
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
  const later = DeliveryModel.query(tx)
    .where({ chat_id: chatId, channel })
    .where('id', '>', id)
    .whereNotNull('order_group');
  if (orderGroup !== null) later.where('order_group', '>', orderGroup);
  return (await later.first().select('id')) !== undefined;
}

/** Until when an earlier delivery of the same order group to the same recipient is held. */
export async function findHoldBefore(
  tx: Tx,
  { id, chatId, recipient, orderGroup }: DeliveryRow,
  now: Date,
): Promise<Date | undefined> {
  const held = DeliveryModel.query(tx)
    .where({ chat_id: chatId, state: 'queued', recipient })
    .where('id', '<', id)
    .where('held_until', '>', now)
    .whereRaw('order_group is not distinct from ?', [orderGroup])
    .orderBy('held_until', 'desc');
  return (await held.first())?.heldUntil ?? undefined;
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
  const other = await DeliveryModel.query(tx)
    .where({ recipient, carrier_message_id: carrierMessageId })
    .whereNot({ id })
    .first()
    .select('id');
  return other !== undefined;
}

/** Records that an attempt ended without a result. @returns false when its result has arrived meanwhile */
export async function noteOutcomeUnknown(tx: Tx, deliveryId: number): Promise<boolean> {
  const noted = await DeliveryModel.query(tx)
    .where({ id: deliveryId, state: 'claimed' })
    .patch({ outcomeUnknown: true });
  return noted === 1;
}
