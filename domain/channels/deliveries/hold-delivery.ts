import { findDelivery, lockDelivery, patchDelivery } from '../../../db/channels/deliveries.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { ServiceContext } from '../../kernel/context.js';
import { channelOf } from './channels.js';
import type { DeliveryRef } from './delivery-ref.js';

const pausesMs = { least: 30_000, most: 15 * 60_000 };

/**
 * Lets a queued delivery wait, for as long as it has waited so far: what it needs is away, and the messages that do not
 * need it go on. It expires as every delivery.
 */
export async function holdDelivery(context: ServiceContext, ref: DeliveryRef): Promise<void> {
  await hold(context, ref, (waitedMs) => Math.max(waitedMs, pausesMs.least));
}

/**
 * Lets a queued delivery wait for a place at its provider: as long as the places say, and longer the longer it has waited.
 * Such waits are spread, because many end at once where a server is slow.
 */
export async function holdForPlace(context: ServiceContext, ref: DeliveryRef, waitMs: number): Promise<void> {
  const spread = 1 + Math.random() / 4;
  await hold(
    context,
    ref,
    (waitedMs) => Math.min(Math.max(waitedMs / 4, waitMs), pausesMs.most / spread) * spread,
  );
}

/**
 * Lets a delivery wait alone if it goes by another channel than its chat, such as an email of the agent in an SMS chat:
 * what its provider refuses for now does not delay the chat.
 * @returns false if it goes by the channel of its chat, in which all messages wait for the provider
 */
export async function holdBesideChat(context: ServiceContext, ref: DeliveryRef): Promise<boolean> {
  const isBeside = await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await findDelivery(tx, ref.deliveryId);
    const chat = delivery && (await findChat(tx, delivery.chatId));
    return chat !== undefined && chat.channel !== delivery?.channel;
  });
  if (isBeside) await holdDelivery(context, ref);
  return isBeside;
}

async function hold(
  context: ServiceContext,
  ref: DeliveryRef,
  pauseAfter: (waitedMs: number) => number,
): Promise<void> {
  const now = context.clock.now().getTime();
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'queued') return;
    const waited = now - (delivery.expiresAt.getTime() - channelOf(delivery).lifeSpanMs);
    const pause = Math.min(pauseAfter(waited), pausesMs.most);
    // The claim settles what has expired.
    const notBefore = new Date(Math.min(now + Math.round(pause), delivery.expiresAt.getTime()));
    await patchDelivery(tx, delivery.id, { notBefore });
  });
}
