import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { hasDeliveryOfLaterGroup } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/database.js';

/** For how long a message is worth sending: hours later, or in the middle of the night, it says the wrong thing. */
export const lifeSpanMs = 4 * 3_600_000;
/** The carrier's own bounds for how long it may keep a message in its queue, in seconds. */
const carrierBoundsSeconds = { least: 60, most: 36_000 };

/**
 * When a message that is queued now expires, and its group of order: what was written since the member last wrote.
 * Within a group messages keep their order; a later group waits for no earlier message that is held or tried again.
 */
export function queuedNow(chat: ChatRow, now: Date): Pick<DeliveryRow, 'expiresAt' | 'orderGroup'> {
  return { expiresAt: new Date(now.getTime() + lifeSpanMs), orderGroup: chat.lastMessageReceivedAt };
}

/** Whether a delivery is not worth another attempt: its time is over, or the conversation has gone on without it. */
export async function isExpired(tx: Tx, delivery: DeliveryRow, at: Date): Promise<boolean> {
  if (delivery.expiresAt <= at) return true;
  return delivery.failures > 0 && (await hasDeliveryOfLaterGroup(tx, delivery));
}

/** How long the carrier may keep a message that it takes now. */
export function validitySeconds(expiresAt: Date, now: Date): number {
  const left = Math.ceil((expiresAt.getTime() - now.getTime()) / 1_000);
  return Math.min(Math.max(left, carrierBoundsSeconds.least), carrierBoundsSeconds.most);
}
