import type { DeliveryClaim } from '../../domain/channels/deliveries/claim-delivery.js';
import type { DeliveryLookup } from '../../domain/channels/deliveries/delivery-lookup.js';
import type { DeliveryRef } from '../../domain/channels/deliveries/delivery-ref.js';
import type { DeliveryNews } from '../../domain/channels/deliveries/settle-delivery.js';
import type { Entered } from '../../providers/mail/mail-places.js';

export type ClaimedDelivery = Extract<DeliveryClaim, { kind: 'claimed' }>;

/** What a provider says of a message that it has accepted. */
export type Accepted = Pick<DeliveryNews, 'state' | 'errorCode'> & { carrierMessageId: string };

/**
 * How one channel hands messages to its provider: the other half of `DeliveryChannel`. Its calls fail with the errors of
 * `providers/failures.ts`, which decide what becomes of the delivery.
 */
export interface ChannelSender {
  /** Whether the provider can be asked for a message whose outcome is unknown. */
  looksUp: boolean;
  /**
   * Takes a place for a queued message of a channel that needs one; undefined where it needs none. A provider that hangs
   * has few, so that what finds none is not claimed.
   */
  enter?(ref: DeliveryRef): Promise<Entered | undefined>;
  /** Sends a claimed message to its one recipient. */
  send(claim: ClaimedDelivery): Promise<Pick<Accepted, 'carrierMessageId'>>;
  /** Looks for the message that an attempt without a result has led to. Never sends. */
  find(attempt: DeliveryLookup): Promise<Accepted | undefined>;
  /** Asks what became of a message; undefined if the provider does not say. */
  ask(carrierMessageId: string): Promise<Accepted | undefined>;
}
