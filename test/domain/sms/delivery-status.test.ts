import { describe, expect, it } from 'vitest';
import { type DeliveryState, deliveryStatusOf, mergeStatus } from '../../../domain/sms/delivery-status.js';

const none: DeliveryState = { status: null, errorCode: null, failureReason: null };
const sent: DeliveryState = { ...none, status: 'sent' };
const delivered: DeliveryState = { ...none, status: 'delivered' };
const failed = (errorCode: string | null): DeliveryState => ({
  status: 'failed',
  errorCode,
  failureReason: errorCode && `reason-${errorCode}`,
});

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
  ])('%s is %s', (carrierStatus, status) => {
    expect(deliveryStatusOf(carrierStatus)).toBe(status);
  });
});

describe('mergeStatus', () => {
  it.each([
    ['delivered', sent],
    ['delivered', failed('30008')],
    ['delivered', delivered],
    ['delivered', none],
  ])('what is %s stays so, whatever comes late', (_title, incoming) => {
    expect(mergeStatus(delivered, incoming)).toBe(delivered);
  });

  it('what failed stays failed, with its first reason', () => {
    const first = failed('30003');
    expect(mergeStatus(first, delivered)).toBe(first);
    expect(mergeStatus(first, sent)).toBe(first);
    expect(mergeStatus(first, failed('30008'))).toBe(first);
  });

  it('a failure without a reason takes the first one that is told', () => {
    expect(mergeStatus(failed(null), failed('30008'))).toEqual(failed('30008'));
  });

  it('goes from nothing to sent to what becomes of it', () => {
    expect(mergeStatus(none, sent)).toEqual(sent);
    expect(mergeStatus(sent, delivered)).toEqual(delivered);
    expect(mergeStatus(none, delivered)).toEqual(delivered);
    expect(mergeStatus(sent, failed('30008'))).toEqual(failed('30008'));
  });

  it('a doubled report changes nothing', () => {
    expect(mergeStatus(sent, { ...sent })).toBe(sent);
  });
});
