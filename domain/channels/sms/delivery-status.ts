import type { SmsDeliveryStatus } from '../../../db/conversations/messages.js';

export function deliveryStatusOf(carrierStatus: string): SmsDeliveryStatus | undefined {
  if (['accepted', 'scheduled', 'queued', 'sending', 'sent'].includes(carrierStatus)) return 'sent';
  if (['delivered', 'read'].includes(carrierStatus)) return 'delivered';
  return ['failed', 'undelivered', 'canceled'].includes(carrierStatus) ? 'failed' : undefined;
}
