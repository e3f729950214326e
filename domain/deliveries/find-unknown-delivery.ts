import { listCarrierIdsTo, lockDelivery } from '../../db/queries/deliveries.js';
import { findMessage } from '../../db/queries/messages.js';
import type { ServiceContext } from '../context.js';
import { messageText } from '../messages/message-text.js';
import type { DeliveryRef } from './claim-delivery.js';

export interface UnknownDelivery {
  attempt: number;
  from: string;
  to: string;
  body: string;
  sentAfter: Date;
  /** What the carrier is known to have for other messages to the same number. */
  knownIds: string[];
}

/** How far our clock and the carrier's may be apart. */
const clockToleranceMs = 30_000;
const historyToCompare = 100;

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
      attempt: delivery.attempts,
      from: delivery.sender,
      to: delivery.recipient,
      body: messageText(message.content),
      sentAfter: new Date(delivery.claimedAt.getTime() - clockToleranceMs),
      knownIds: await listCarrierIdsTo(tx, delivery.recipient, historyToCompare),
    };
  });
}
