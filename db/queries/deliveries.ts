import type { Tx } from '../database.js';
import { DeliveryModel, type DeliveryRow } from '../models/delivery.js';
import { patchRow } from '../models/rows.js';
import { prepared } from '../statement.js';

export type { DeliveryRow, DeliveryState } from '../models/delivery.js';

export async function insertDelivery(
  tx: Tx,
  delivery: Pick<
    DeliveryRow,
    'chatId' | 'messageId' | 'channel' | 'purpose' | 'sender' | 'recipient' | 'expiresAt' | 'orderGroup'
  >,
): Promise<DeliveryRow> {
  return DeliveryModel.query(tx)
    .insert({ ...delivery, workspaceId: tx.workspaceId })
    .returning('*');
}

export async function lockDelivery(tx: Tx, deliveryId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findById(deliveryId).forUpdate();
}

export async function lockDeliveryOfMessage(tx: Tx, messageId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findOne({ message_id: messageId }).forUpdate();
}

export async function findDeliveryOfMessage(tx: Tx, messageId: number): Promise<DeliveryRow | undefined> {
  return DeliveryModel.query(tx).findOne({ message_id: messageId });
}

export async function updateDelivery(
  tx: Tx,
  deliveryId: number,
  changes: Partial<DeliveryRow>,
): Promise<DeliveryRow> {
  return patchRow(DeliveryModel, tx, deliveryId, { ...changes, updatedAt: new Date() });
}

/** The chat's deliveries that are not settled, in order. */
export async function listOpenDeliveries(tx: Tx, chatId: number): Promise<DeliveryRow[]> {
  return DeliveryModel.query(tx)
    .where({ chat_id: chatId })
    .whereIn('state', ['queued', 'claimed', 'sent'])
    .orderBy('id');
}

/** The chat's deliveries that are not with the carrier, in order; without any, the one whose receipt was due first. */
export async function listDueDeliveries(tx: Tx, chatId: number, now: Date): Promise<DeliveryRow[]> {
  const ofChat = () => DeliveryModel.query(tx).where({ chat_id: chatId });
  const unsent = await ofChat().whereIn('state', ['queued', 'claimed']).orderBy('id');
  if (unsent.length > 0) return unsent;
  return ofChat().where('receipt_due_at', '<=', now).orderBy('receipt_due_at').limit(1);
}

/** How many messages were queued for a number since a time, one delivery left out; counted up to `most`. */
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

/** Whether something was queued in the chat after the member wrote once more. */
export async function hasDeliveryOfLaterGroup(
  tx: Tx,
  { id, chatId, orderGroup }: Pick<DeliveryRow, 'id' | 'chatId' | 'orderGroup'>,
): Promise<boolean> {
  const later = DeliveryModel.query(tx)
    .where({ chat_id: chatId })
    .where('id', '>', id)
    .whereNotNull('order_group');
  if (orderGroup !== null) later.where('order_group', '>', orderGroup);
  return (await later.first().select('id')) !== undefined;
}

/** Whether another attempt between the same two numbers has no result. */
export async function hasOtherUnknownAttempt(
  tx: Tx,
  { id, sender, recipient }: Pick<DeliveryRow, 'id' | 'sender' | 'recipient'>,
): Promise<boolean> {
  const other = await DeliveryModel.query(tx)
    .where({ recipient, sender, state: 'claimed' })
    .whereNot({ id })
    .first()
    .select('id');
  return other !== undefined;
}

/** The carrier's ids of the newest messages that went to a number. */
export async function listCarrierIdsTo(tx: Tx, recipient: string, limit: number): Promise<string[]> {
  const rows = await DeliveryModel.query(tx)
    .where({ recipient })
    .whereNotNull('carrier_message_id')
    .orderBy('id', 'desc')
    .limit(limit)
    .select('carrier_message_id');
  return rows.map((row) => row.carrierMessageId).filter((id) => id !== null);
}

/** Notes that an attempt ended without a result. @returns false when its result has come meanwhile */
export async function noteOutcomeUnknown(tx: Tx, deliveryId: number): Promise<boolean> {
  const noted = await DeliveryModel.query(tx)
    .where({ id: deliveryId, state: 'claimed' })
    .patch({ outcomeUnknown: true });
  return noted === 1;
}
