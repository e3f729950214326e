import { describe, expect, it } from 'vitest';
import { maxRetryMs, retryLater } from '../../activities/kernel/retry-later.js';
import { CarrierBusy } from '../../providers/carrier/carrier.js';
import { ProviderUnusable } from '../../providers/failures.js';
import { MailBusy } from '../../providers/mail/mail.js';

describe('retryLater', () => {
  it('schedules the retry for the time that the provider asks for', () => {
    expect(retryLater(new CarrierBusy('http_429', 7_000))).toMatchObject({
      type: 'carrier_busy',
      nextRetryDelay: 7_000,
      nonRetryable: false,
    });
  });

  it('waits some minutes at most, even if the provider asks for a century', () => {
    const century = 100 * 365 * 86_400_000;
    expect(retryLater(new CarrierBusy('http_429', century))).toMatchObject({
      nextRetryDelay: maxRetryMs,
    });
    expect(retryLater(new CarrierBusy('http_429', century), 1_000)).toMatchObject({ nextRetryDelay: 1_000 });
  });

  it('leaves the delay to the retry policy when the provider names none', () => {
    expect(retryLater(new MailBusy('451'))).toMatchObject({ type: 'mail_busy', nextRetryDelay: undefined });
  });

  it('reports an unusable account with the code of its provider', () => {
    const failure = new ProviderUnusable('mail', '535', { retryAfterMs: 60_000 });
    expect(retryLater(failure)).toMatchObject({ type: 'mail_unusable', nextRetryDelay: 60_000 });
  });

  it('returns any other error unchanged', () => {
    const error = new TypeError('a mistake');
    expect(retryLater(error)).toBe(error);
  });
});
