import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { beginSlice } from '../../activities/kernel/slice.js';

afterEach(() => vi.useRealTimers());

const begun = (environment = new MockActivityEnvironment()): Promise<() => boolean> =>
  environment.run(async () => beginSlice());

it('a slice is over after fifteen seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const isOver = await begun();
  vi.advanceTimersByTime(14_999);
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isOver()).toBe(true);
});

it('a slice is over when its worker stops', async () => {
  const environment = new MockActivityEnvironment();
  const isOver = await begun(environment);
  expect(isOver()).toBe(false);
  environment.cancel();
  expect(isOver()).toBe(true);
});
