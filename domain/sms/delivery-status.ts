export type SmsDeliveryStatus = 'sent' | 'delivered' | 'failed';

const byCarrierStatus: ReadonlyMap<string, SmsDeliveryStatus> = new Map([
  ['accepted', 'sent'],
  ['scheduled', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['failed', 'failed'],
  ['undelivered', 'failed'],
  ['canceled', 'failed'],
]);

/** Our status for one of the carrier's (design section 7); undefined for one we do not know. */
export function deliveryStatusOf(carrierStatus: string): SmsDeliveryStatus | undefined {
  return byCarrierStatus.get(carrierStatus);
}

/** Nothing more can become of a message in such a status. */
export function isTerminal(status: SmsDeliveryStatus | null): boolean {
  return status === 'delivered' || status === 'failed';
}

export interface DeliveryState {
  status: SmsDeliveryStatus | null;
  errorCode: string | null;
  failureReason: string | null;
}

/**
 * What a message's state becomes with a report that may be late, doubled or out of order: the first terminal
 * status stays, and of a failure the first reason told. Returns the current state itself when nothing changes.
 */
export function mergeStatus(current: DeliveryState, incoming: DeliveryState): DeliveryState {
  if (isTerminal(current.status)) {
    const adds = current.status === 'failed' && incoming.status === 'failed';
    if (!adds || current.errorCode !== null || incoming.errorCode === null) return current;
    return { ...incoming, failureReason: current.failureReason ?? incoming.failureReason };
  }
  if (incoming.status === null || incoming.status === current.status) return current;
  if (incoming.status === 'failed') return incoming;
  return { status: incoming.status, errorCode: null, failureReason: null };
}
