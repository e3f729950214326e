import { describe, expect, it } from 'vitest';
import { parseCallPrices } from '../../../domain/calls/call-prices.js';
import { expectedPriceOf } from '../../../domain/calls/compare-bill.js';

const prices = parseCallPrices('USD inbound=0.0085 outbound=0.014 GB=0.03');
const call = {
  inbound: false,
  remoteNumber: '+12025550142',
  durationSeconds: null as number | null,
  measuredSeconds: 61,
};

describe('what a call should cost', () => {
  it('is the price of each started minute, by direction and country', () => {
    expect(expectedPriceOf(prices, call, 'USD')).toBeCloseTo(0.028);
    expect(expectedPriceOf(prices, { ...call, inbound: true, measuredSeconds: 60 }, 'USD')).toBeCloseTo(
      0.0085,
    );
    expect(expectedPriceOf(prices, { ...call, remoteNumber: '+442079460000' }, 'USD')).toBeCloseTo(0.06);
    expect(expectedPriceOf(prices, { ...call, remoteNumber: null }, 'USD')).toBeCloseTo(0.028);
    expect(expectedPriceOf(prices, { ...call, measuredSeconds: 0 }, 'USD')).toBe(0);
  });

  it.each([
    ['a minute that the carrier has begun', 62, 58, 2],
    ['one that it has not', 59, 61, 1],
    ['a call that it rounds up', 1, 0, 1],
    ['what was measured, where the carrier says something else', 130, 58, 1],
  ])('is that of %s', (_, durationSeconds, measuredSeconds, minutes) => {
    const billed = { ...call, durationSeconds, measuredSeconds };
    expect(expectedPriceOf(prices, billed, 'USD')).toBeCloseTo(minutes * 0.014);
  });

  it('is not known in another currency, without a price, or without a duration', () => {
    expect(expectedPriceOf(prices, call, 'EUR')).toBeUndefined();
    expect(expectedPriceOf(parseCallPrices('USD inbound=1'), call, 'USD')).toBeUndefined();
    expect(expectedPriceOf(prices, { ...call, measuredSeconds: null }, 'USD')).toBeUndefined();
    expect(expectedPriceOf(undefined, call, 'USD')).toBeUndefined();
  });

  it.each([
    'USD',
    'usd inbound=1',
    'USD inbound=',
    'USD inbound=-1',
    'USD inbound=1 inbound=2',
    'USD other=1',
  ])('is not read from %j', (text) => {
    expect(parseCallPrices(text)).toBeUndefined();
  });
});
