import { describe, expect, it, vi } from 'vitest';
import { KeyedMutex } from '../../../activities/events/keyed-mutex.js';

const longMs = 60_000;

describe('KeyedMutex', () => {
  it('lets one caller per key in', async () => {
    const mutex = new KeyedMutex();

    expect(await mutex.enter(1, longMs)).toBe(true);
    expect(await mutex.enter(2, longMs)).toBe(true);
    expect(await mutex.enter(1, 20)).toBe(false);
  });

  it('lets waiting callers in by order of arrival, before later ones', async () => {
    const mutex = new KeyedMutex();
    await mutex.enter(1, longMs);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      expect(await mutex.enter(1, longMs)).toBe(true);
      order.push(number);
    });

    for (const turn of waiting) {
      mutex.leave(1);
      const late = mutex.enter(1, 0);
      await turn;
      expect(await late).toBe(false);
    }

    expect(order).toEqual([1, 2, 3]);
  });

  it('skips a caller whose time is over', async () => {
    const mutex = new KeyedMutex();
    await mutex.enter(1, longMs);
    expect(await mutex.enter(1, 20)).toBe(false);

    mutex.leave(1);

    expect(await mutex.enter(1, 0)).toBe(true);
  });

  it('refuses those who wait for a closed key and those who come while it is closed, and no others', async () => {
    vi.useFakeTimers();
    const mutex = new KeyedMutex();
    for (const key of [1, 2]) await mutex.enter(key, longMs);
    const waiting = [1, 1, 2].map((key) => mutex.enter(key, longMs));

    mutex.close(1, 1_000);

    expect(await Promise.all(waiting.slice(0, 2))).toEqual([false, false]);
    for (const key of [1, 2]) mutex.leave(key);
    expect(await waiting[2]).toBe(true);
    vi.advanceTimersByTime(999);
    expect(await mutex.enter(1, longMs)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await mutex.enter(1, 0)).toBe(true);
    vi.useRealTimers();
  });

  it('lets many callers in one at a time', async () => {
    const mutex = new KeyedMutex();
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        expect(await mutex.enter(1, longMs)).toBe(true);
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
        mutex.leave(1);
      }),
    );

    expect(most).toBe(1);
  });
});
