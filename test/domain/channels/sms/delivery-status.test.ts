import { describe, expect, it } from 'vitest';
import { deliveryStatusOf } from '../../../../domain/channels/sms/delivery-status.js';

describe('deliveryStatusOf', () => {
  it.each([
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
    ['received', undefined],
    ['constructor', undefined],
  ])('maps %s to %s', (carrierStatus, status) => {
    expect(deliveryStatusOf(carrierStatus)).toBe(status);
  });
});
