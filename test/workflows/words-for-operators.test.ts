import { describe, expect, it } from 'vitest';
import { markdownName, shortName } from '../../workflows/contracts/names.js';
import type { DeliveryDone } from '../../workflows/contracts/steps.js';
import { DeliveryTally } from '../../workflows/delivery-tally.js';

describe('a name', () => {
  it('is shortened to sixty characters, none of them cut in half', () => {
    expect(shortName('Your details')).toBe('Your details');
    expect(shortName('🧭'.repeat(60))).toBe('🧭'.repeat(60));
    expect(shortName('🧭'.repeat(61))).toBe(`${'🧭'.repeat(59)}…`);
  });

  it('is no markup in details', () => {
    expect(markdownName('![here](https://tracker.example/x.png) **now** `a` <b>')).toBe(
      '\\!\\[here\\](https://tracker.example/x.png) \\*\\*now\\*\\* \\`a\\` \\<b\\>',
    );
  });
});

describe('the tally of a delivery run', () => {
  const done = (messageId: number, state: string, reason?: string): DeliveryDone => ({
    act: 'send',
    messageId,
    state,
    ...(reason === undefined ? {} : { reason }),
  });

  it('counts each message once, in its last state', () => {
    const tally = new DeliveryTally();
    expect(tally.inWords()).toBe('So far nothing was to be sent.');
    tally.add(done(12, 'claimed'));
    tally.add(done(13, 'failed', 'opted_out'));
    tally.add(done(12, 'sent'));
    tally.add(done(14, 'queued'));

    expect(tally.totals()).toEqual({ messages: 3, sent: 1, failed: 1, failures: { 13: 'opted_out' } });
    expect(tally.inWords()).toBe('Messages handed over: 1; failed: 1 (message 13: `opted_out`).');
  });
});
