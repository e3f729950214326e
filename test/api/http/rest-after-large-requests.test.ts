import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RecentCallers, Turns } from '../../../api/http/pipeline/turns.js';
import { turnTerms } from '../../../domain/kernel/admissions.js';

const caller = { ip: '127.0.0.2', params: {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A caller sends a large request, which takes 40 ms, and then another. @returns whether that has begun */
async function nextAfterOne({ others, ...options }: { others: boolean; maxRestMs?: number }) {
  const callers = new RecentCallers();
  const large = new Turns(callers, { ...turnTerms.large, ...options });
  const end = await large.enter(caller, {});
  callers.note(`address:${caller.ip}`);
  if (others) callers.note('address:127.0.0.3');
  vi.advanceTimersByTime(40);
  end();
  let hasStarted = false;
  void large.enter(caller, {}).then(() => {
    hasStarted = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return () => hasStarted;
}

it('delays an account after a large request by its duration while other accounts send requests', async () => {
  const hasStarted = await nextAfterOne({ others: true });
  await vi.advanceTimersByTimeAsync(38);
  expect(hasStarted()).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(hasStarted()).toBe(true);
});

it('limits the delay after a large request', async () => {
  const hasStarted = await nextAfterOne({ others: true, maxRestMs: 10 });
  await vi.advanceTimersByTimeAsync(10);
  expect(hasStarted()).toBe(true);
});

it('does not delay an account after a large request without other requests', async () => {
  expect((await nextAfterOne({ others: false }))()).toBe(true);
});

it('counts callers as recent for one second', () => {
  const callers = new RecentCallers();
  callers.note('account:1');
  expect(callers.hasOthersThan('account:1')).toBe(false);
  expect(callers.hasOthersThan('account:2')).toBe(true);

  callers.note('account:2');
  callers.note('account:2');
  expect(callers.hasOthersThan('account:1')).toBe(true);
  expect(callers.hasOthersThan('account:2')).toBe(true);

  vi.advanceTimersByTime(1_000);
  expect(callers.hasOthersThan('account:1')).toBe(false);
});
