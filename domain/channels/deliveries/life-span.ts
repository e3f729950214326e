import { type DeliveryRow, hasDeliveryOfLaterGroup } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/database.js';
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
