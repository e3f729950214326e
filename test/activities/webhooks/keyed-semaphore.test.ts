import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { KeyedSemaphore } from '../../../activities/events/keyed-semaphore.js';

const { signal } = new AbortController();
const patient = { timeoutMs: 60_000, expectedWaitMs: 0, signal };
const impatient = { timeoutMs: 20, expectedWaitMs: 0, signal };

async function acquired(slots: KeyedSemaphore, key: string, patience = patient): Promise<() => void> {
  const release = await slots.acquire(key, patience);
  if (release === undefined) throw new Error('there was no room');
  return release;
}

describe('KeyedSemaphore', () => {
  it('limits the number of holders per key', async () => {
    const slots = new KeyedSemaphore(2);
    for (const key of ['a', 'a', 'b', 'b']) await acquired(slots, key);

    expect(await slots.acquire('a', impatient)).toBeUndefined();
    expect(await slots.acquire('b', impatient)).toBeUndefined();
    expect(await slots.acquire('c', impatient)).toBeDefined();
  });

  it('serves waiting calls in order, before later calls', async () => {
    const slots = new KeyedSemaphore(1);
    const order: number[] = [];
    let release = await acquired(slots, 'a');
    const waiting = [1, 2, 3].map(async (number) => {
      const next = await acquired(slots, 'a');
      order.push(number);
      return next;
    });
    for (const next of waiting) {
      release();
      const late = slots.acquire('a', { ...impatient, timeoutMs: 0 });
      release = await next;
      expect(await late).toBeUndefined();
    }

    expect(order).toEqual([1, 2, 3]);
  });

  it('rejects a call at once that cannot succeed before its timeout', async () => {
    const slots = new KeyedSemaphore(1);
    await acquired(slots, 'a');
    const waiting = slots.acquire('a', { ...patient, expectedWaitMs: 60_000 });

    expect(await slots.acquire('a', { ...patient, expectedWaitMs: 30_001 })).toBeUndefined();
    expect(await slots.acquire('a', { ...patient, expectedWaitMs: 60_001 })).toBeUndefined();
    expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  });

  it('learns the duration of the wait from the holders', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const slots = new KeyedSemaphore(2);
    const release = await acquired(slots, 'a');
    vi.advanceTimersByTime(1_000);
    await acquired(slots, 'a');

    expect(await slots.acquire('a', { ...patient, timeoutMs: 499 })).toBeUndefined();
    release();
    await acquired(slots, 'a');
    const waiting = slots.acquire('a', { ...patient, timeoutMs: 499 });
    expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  });

  it('removes a waiting call on timeout and on abort', async () => {
    const slots = new KeyedSemaphore(1);
    const release = await acquired(slots, 'a');
    const abortion = new AbortController();
    const aborted = slots.acquire('a', { ...patient, signal: abortion.signal });
    expect(await slots.acquire('a', impatient)).toBeUndefined();
    abortion.abort();
    expect(await aborted).toBeUndefined();
    expect(await slots.acquire('a', { ...patient, signal: abortion.signal })).toBeUndefined();

    release();

    expect(slots.size).toBe(0);
    await acquired(slots, 'a');
  });

  it('ignores repeated releases', async () => {
    const slots = new KeyedSemaphore(1);
    const release = await acquired(slots, 'a');
    release();
    await acquired(slots, 'a');
    release();

    expect(await slots.acquire('a', impatient)).toBeUndefined();
  });

  it('serves many calls without exceeding its limit', async () => {
    const slots = new KeyedSemaphore(4);
    let held = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const release = await acquired(slots, 'a', { ...patient, signal: new AbortController().signal });
        held += 1;
        most = Math.max(most, held);
        await new Promise(setImmediate);
        held -= 1;
        release();
      }),
    );

    expect(most).toBe(4);
    expect(slots.size).toBe(0);
  });
});
