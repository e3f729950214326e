import { type DeliveryRow, hasDeliveryOfLaterGroup, patchDelivery } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { heldMsSince } from '../../../db/definitions/workspace-holds.js';
import type { Tx } from '../../../db/tx.js';
import { channelOf } from './channels.js';

/** The range, in seconds, of the carrier's validity period for queued messages. */
const carrierBoundsSeconds = { least: 60, most: 36_000 };

/** A message keeps its order among those queued since the member last wrote, its group; a later group does not wait. */
export function queuedNow(
  channel: DeliveryRow['channel'],
  chat: ChatRow,
  now: Date,
): Pick<DeliveryRow, 'expiresAt' | 'orderGroup'> {
  const { lifeSpanMs } = channelOf({ channel });
  return { expiresAt: new Date(now.getTime() + lifeSpanMs), orderGroup: chat.lastMessageReceivedAt };
}

/**
 * Gives a queued delivery the life of its channel anew if it has expired only because the workspace was held. The caller
 * holds its row lock.
 */
export async function reviveAfterHold(tx: Tx, delivery: DeliveryRow, now: Date): Promise<DeliveryRow> {
  const overdueMs = now.getTime() - delivery.expiresAt.getTime();
  if (delivery.state !== 'queued' || overdueMs < 0) return delivery;
  if ((await heldMsSince(tx, delivery.createdAt, now)) <= overdueMs) return delivery;
  const expiresAt = new Date(now.getTime() + channelOf(delivery).lifeSpanMs);
  return patchDelivery(tx, delivery.id, { expiresAt });
}

/** Whether another attempt is pointless: the delivery has expired, or a later order group followed its failure. */
export async function isExpired(tx: Tx, delivery: DeliveryRow, at: Date): Promise<boolean> {
  if (delivery.expiresAt <= at) return true;
  return (
    delivery.failures > 0 && channelOf(delivery).isOvertaken && (await hasDeliveryOfLaterGroup(tx, delivery))
  );
}

export function validitySeconds(expiresAt: Date, now: Date): number {
  const left = Math.ceil((expiresAt.getTime() - now.getTime()) / 1_000);
  return Math.min(Math.max(left, carrierBoundsSeconds.least), carrierBoundsSeconds.most);
}
