import { describe, expect, it } from 'vitest';
import { longestRetryMs, retryLater } from '../../activities/kernel/retry-later.js';
import { CarrierBusy } from '../../providers/carrier/carrier.js';
import { ProviderUnusable } from '../../providers/failures.js';
import { MailBusy } from '../../providers/mail/mail.js';

describe('coming back to a provider', () => {
  it('waits as long as it asks', () => {
    expect(retryLater(new CarrierBusy('http_429', 7_000))).toMatchObject({
      type: 'carrier_busy',
      nextRetryDelay: 7_000,
      nonRetryable: false,
    });
  });

  it('waits some minutes at most, even for one that asks for a century', () => {
    const century = 100 * 365 * 86_400_000;
    expect(retryLater(new CarrierBusy('http_429', century))).toMatchObject({
      nextRetryDelay: longestRetryMs,
    });
    expect(retryLater(new CarrierBusy('http_429', century), 1_000)).toMatchObject({ nextRetryDelay: 1_000 });
  });

  it('leaves the time to the run where the provider says nothing', () => {
    expect(retryLater(new MailBusy('451'))).toMatchObject({ type: 'mail_busy', nextRetryDelay: undefined });
  });

  it('names an account that cannot be used by a code', () => {
    const failure = new ProviderUnusable('mail', '535', { retryAfterMs: 60_000 });
    expect(retryLater(failure)).toMatchObject({ type: 'mail_unusable', nextRetryDelay: 60_000 });
  });

  it('leaves any other error as it is', () => {
    const error = new TypeError('a mistake');
    expect(retryLater(error)).toBe(error);
  });
});
