import { describe, expect, it } from 'vitest';
import { ImageMemory } from '../../../activities/agent/image-memory.js';
import { ModelBusy } from '../../../providers/model/chat-model.js';

const unaborted = new AbortController().signal;

/** Work that ends when it is told, and says that it has begun. */
function work(memory: ImageMemory, bytes: number, signal = unaborted) {
  let end = () => {};
  const promise = new Promise<string>((resolve) => {
    end = () => resolve('done');
  });
  let hasStarted = false;
  const result = memory.hold(bytes, signal, () => {
    hasStarted = true;
    return promise;
  });
  result.catch(() => undefined);
  return { result, end, hasStarted: () => hasStarted };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('requests with images', () => {
  it('hold no more bytes at once than a process has room for, in the order of arrival', async () => {
    const memory = new ImageMemory({ maxBytes: 10 });
    const [first, second, large, small] = [6, 4, 8, 1].map((bytes) => work(memory, bytes));
    await settled();
    const begun = () => [first, second, large, small].map((one) => one?.hasStarted());
    expect(begun()).toEqual([true, true, false, false]);

    first?.end();
    await first?.result;
    await settled();
    expect(begun()).toEqual([true, true, false, false]);

    second?.end();
    await second?.result;
    await settled();
    expect(begun()).toEqual([true, true, true, true]);
    large?.end();
    small?.end();
    expect(await Promise.all([large?.result, small?.result])).toEqual(['done', 'done']);
  });

  it('give their bytes back when they fail, and one that is too large has its turn alone', async () => {
    const memory = new ImageMemory({ maxBytes: 10 });
    const failed = memory.hold(10, unaborted, () => Promise.reject(new Error('refused')));
    const large = work(memory, 99);
    await expect(failed).rejects.toThrow('refused');
    await settled();
    expect(large.hasStarted()).toBe(true);
    large.end();
    expect(await large.result).toBe('done');
  });

  it('are tried again later when their turn does not come in time', async () => {
    const memory = new ImageMemory({ maxBytes: 10, waitMs: 1 });
    const first = work(memory, 10);
    await expect(work(memory, 10).result).rejects.toThrow(ModelBusy);
    first.end();
    await first.result;
    expect(await memory.hold(10, unaborted, async () => 'next')).toBe('next');
  });

  it('stop to wait when they are cancelled, and let those behind them begin', async () => {
    const memory = new ImageMemory({ maxBytes: 10 });
    const first = work(memory, 5);
    const turn = new AbortController();
    const large = work(memory, 10, turn.signal);
    const small = work(memory, 5);
    await settled();
    expect(small.hasStarted()).toBe(false);
    turn.abort(new Error('superseded'));
    await expect(large.result).rejects.toThrow('superseded');
    await settled();
    expect([large.hasStarted(), small.hasStarted()]).toEqual([false, true]);
    for (const one of [first, small]) one.end();
    await Promise.all([first.result, small.result]);
  });
});
