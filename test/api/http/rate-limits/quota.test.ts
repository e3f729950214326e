import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Quota } from '../../../../api/http/rate-limits/quota.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Quota', () => {
  it('counts each name separately, to zero and beyond', async () => {
    const quota = new Quota('credential', 2);
    expect(await quota.consume('one')).toMatchObject({ remaining: 1, exceeded: false, resetSeconds: 60 });
    expect(await quota.consume('one')).toMatchObject({ remaining: 0, exceeded: false });
    expect(await quota.consume('one')).toMatchObject({ remaining: 0, exceeded: true });
    expect(await quota.consume('other')).toMatchObject({ remaining: 1, exceeded: false });
  });

  it('starts again exactly when its window ends', async () => {
    const quota = new Quota('credential', 1);
    await quota.consume('one');
    vi.advanceTimersByTime(59_999);
    expect(await quota.consume('one')).toMatchObject({ exceeded: true, resetSeconds: 1 });
    vi.advanceTimersByTime(1);
    expect(await quota.consume('one')).toMatchObject({ exceeded: false, remaining: 0, resetSeconds: 60 });
  });

  it('can be read without counting', async () => {
    const quota = new Quota('refusals', 2);
    expect(await quota.peek('one')).toBeUndefined();
    await quota.consume('one');
    expect(await quota.peek('one')).toMatchObject({ exceeded: false, remaining: 1 });
    expect(await quota.peek('one')).toMatchObject({ exceeded: false, remaining: 1 });
    await quota.consume('one');
    expect(await quota.peek('one')).toMatchObject({ exceeded: true });
    vi.advanceTimersByTime(60_000);
    expect(await quota.peek('one')).toBeUndefined();
  });

  it('evicts the least recently used name beyond its capacity', async () => {
    const quota = new Quota('address', 5, 3);
    for (const name of ['a', 'b', 'c']) await quota.consume(name);
    vi.advanceTimersByTime(60_000);
    await quota.consume('a');
    await quota.consume('d');
    expect(quota.size).toBe(3);
    expect(await quota.consume('a')).toMatchObject({ remaining: 3 });
    for (let count = 0; count < 1_000; count += 1) await quota.consume(`visitor ${count}`);
    expect(quota.size).toBe(3);
    expect(vi.getTimerCount()).toBe(3);
    expect(await quota.consume('a')).toMatchObject({ remaining: 4 });
  });
});
