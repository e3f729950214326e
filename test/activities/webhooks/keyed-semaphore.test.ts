import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { KeyedSemaphore } from '../../../activities/events/keyed-semaphore.js';

const { signal } = new AbortController();
const patient = { timeoutMs: 60_000, expectedWaitMs: 0, signal };
const impatient = { timeoutMs: 20, expectedWaitMs: 0, signal };

async function entered(lanes: KeyedSemaphore, key: string, patience = patient): Promise<() => void> {
  const leave = await lanes.acquire(key, patience);
  if (leave === undefined) throw new Error('there was no room');
  return leave;
}

describe('KeyedSemaphore', () => {
  it('limits the number of holders per key', async () => {
    const lanes = new KeyedSemaphore(2);
    for (const key of ['a', 'a', 'b', 'b']) await entered(lanes, key);

    expect(await lanes.acquire('a', impatient)).toBeUndefined();
    expect(await lanes.acquire('b', impatient)).toBeUndefined();
    expect(await lanes.acquire('c', impatient)).toBeDefined();
  });

  it('serves waiting calls in order, before later calls', async () => {
    const lanes = new KeyedSemaphore(1);
    const order: number[] = [];
    let leave = await entered(lanes, 'a');
    const waiting = [1, 2, 3].map(async (number) => {
      const next = await entered(lanes, 'a');
      order.push(number);
      return next;
    });
    for (const next of waiting) {
      leave();
      const late = lanes.acquire('a', { ...impatient, timeoutMs: 0 });
      leave = await next;
      expect(await late).toBeUndefined();
    }

    expect(order).toEqual([1, 2, 3]);
  });

  it('rejects a call at once that cannot succeed before its timeout', async () => {
    const lanes = new KeyedSemaphore(1);
    await entered(lanes, 'a');
    const waiting = lanes.acquire('a', { ...patient, expectedWaitMs: 60_000 });

    expect(await lanes.acquire('a', { ...patient, expectedWaitMs: 30_001 })).toBeUndefined();
    expect(await lanes.acquire('a', { ...patient, expectedWaitMs: 60_001 })).toBeUndefined();
    expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  });

  it('learns the duration of the wait from the holders', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const lanes = new KeyedSemaphore(2);
    const leave = await entered(lanes, 'a');
    vi.advanceTimersByTime(1_000);
    await entered(lanes, 'a');

    expect(await lanes.acquire('a', { ...patient, timeoutMs: 499 })).toBeUndefined();
    leave();
    await entered(lanes, 'a');
    const waiting = lanes.acquire('a', { ...patient, timeoutMs: 499 });
    expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  });

  it('removes a waiting call on timeout and on abort', async () => {
    const lanes = new KeyedSemaphore(1);
    const leave = await entered(lanes, 'a');
    const abortion = new AbortController();
    const aborted = lanes.acquire('a', { ...patient, signal: abortion.signal });
    expect(await lanes.acquire('a', impatient)).toBeUndefined();
    abortion.abort();
    expect(await aborted).toBeUndefined();
    expect(await lanes.acquire('a', { ...patient, signal: abortion.signal })).toBeUndefined();

    leave();

    expect(lanes.size).toBe(0);
    await entered(lanes, 'a');
  });

  it('ignores repeated releases', async () => {
    const lanes = new KeyedSemaphore(1);
    const leave = await entered(lanes, 'a');
    leave();
    await entered(lanes, 'a');
    leave();

    expect(await lanes.acquire('a', impatient)).toBeUndefined();
  });

  it('serves many calls without exceeding its limit', async () => {
    const lanes = new KeyedSemaphore(4);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const leave = await entered(lanes, 'a', { ...patient, signal: new AbortController().signal });
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
        leave();
      }),
    );

    expect(most).toBe(4);
    expect(lanes.size).toBe(0);
  });
});
