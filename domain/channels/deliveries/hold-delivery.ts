import { lockDelivery, patchDelivery } from '../../../db/channels/deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import { channelOf } from './channels.js';
import type { DeliveryRef } from './claim-delivery.js';

const pausesMs = { least: 30_000, most: 15 * 60_000 };

/**
 * Lets a queued delivery wait, for as long as it has waited so far: what it needs is away, and the messages that do not
 * need it go on. It expires as every delivery.
 */
export async function holdDelivery(context: ServiceContext, ref: DeliveryRef): Promise<void> {
  const now = context.clock.now().getTime();
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'queued') return;
    const waited = now - (delivery.expiresAt.getTime() - channelOf(delivery).lifeSpanMs);
    const pause = Math.min(Math.max(waited, pausesMs.least), pausesMs.most);
    await patchDelivery(tx, delivery.id, { notBefore: new Date(now + pause) });
  });
}
