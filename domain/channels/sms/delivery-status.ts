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
