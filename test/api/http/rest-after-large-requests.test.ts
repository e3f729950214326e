import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LargeRequests, RecentCallers } from '../../../api/http/pipeline/large-requests.js';

const from = (ip: string) => ({ ip, params: {} });
const caller = '127.0.0.2';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests of one caller, each of which takes 40 ms. */
function requests({ others, ...options }: { others: boolean; mostRestMs?: number }) {
  const callers = new RecentCallers();
  const large = new LargeRequests(callers, options);
  return {
    async takeTurn() {
      const end = await large.turn(from(caller), {});
      callers.note(`address:${caller}`);
      if (others) callers.note('address:127.0.0.3');
      vi.advanceTimersByTime(40);
      end();
    },
    /** Requests the next slot. @returns whether it has begun */
    async askForNext() {
      let hasBegun = false;
      void large.turn(from(caller), {}).then(() => {
        hasBegun = true;
      });
      await vi.advanceTimersByTimeAsync(0);
      return () => hasBegun;
    },
  };
}

it('delays an account after a large request by its duration while other accounts send requests', async () => {
  const { takeTurn, askForNext } = requests({ others: true });
  await takeTurn();
  const hasBegun = await askForNext();
  await vi.advanceTimersByTimeAsync(38);
  expect(hasBegun()).toBe(false);

  await vi.advanceTimersByTimeAsync(2);

  expect(hasBegun()).toBe(true);
});

it('limits the delay after a large request', async () => {
  const { takeTurn, askForNext } = requests({ others: true, mostRestMs: 10 });
  await takeTurn();
  const hasBegun = await askForNext();
  await vi.advanceTimersByTimeAsync(10);

  expect(hasBegun()).toBe(true);
});

it('does not delay an account after a large request without other requests', async () => {
  const { takeTurn, askForNext } = requests({ others: false });
  await takeTurn();
  const hasBegun = await askForNext();

  expect(hasBegun()).toBe(true);
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
