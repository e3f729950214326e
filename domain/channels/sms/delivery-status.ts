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

export function deliveryStatusOf(carrierStatus: string): SmsDeliveryStatus | undefined {
  return byCarrierStatus.get(carrierStatus);
}
