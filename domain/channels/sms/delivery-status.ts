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

/** Maps a status of the carrier to ours (design section 7); undefined for an unknown one. */
export function deliveryStatusOf(carrierStatus: string): SmsDeliveryStatus | undefined {
  return byCarrierStatus.get(carrierStatus);
}
