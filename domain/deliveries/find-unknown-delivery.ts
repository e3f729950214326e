import { lockDelivery } from '../../db/queries/deliveries.js';
import { findMessage } from '../../db/queries/messages.js';
import type { ServiceContext } from '../context.js';
import { messageText } from '../messages/message-text.js';
import type { DeliveryRef } from './claim-delivery.js';

export interface UnknownDelivery {
  from: string;
  to: string;
  body: string;
  sentAfter: Date;
}

/** A claimed attempt without a result, as the carrier may know it; undefined when there is nothing to resolve. */
export async function findUnknownDelivery(
  context: ServiceContext,
  ref: DeliveryRef,
): Promise<UnknownDelivery | undefined> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'claimed' || delivery.claimedAt === null) return undefined;
    const message = await findMessage(tx, delivery.messageId);
    if (message === undefined) return undefined;
    return {
      from: delivery.sender,
      to: delivery.recipient,
      body: messageText(message.content),
      sentAfter: delivery.claimedAt,
    };
  });
}
