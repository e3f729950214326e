import { describe, expect, it } from 'vitest';
import { FairSemaphore } from '../../../db/lib/fair-semaphore.js';

const open = (options: Partial<ConstructorParameters<typeof FairSemaphore>[0]> = {}) =>
  new FairSemaphore({ size: 5, maxPerHolder: 2, timeoutMs: 50, ...options });

function noting(shares: FairSemaphore, order: string[]) {
  return (name: string, ...holders: string[]) =>
    shares.acquire(holders).then((giveBack) => {
      order.push(name);
      return giveBack;
    });
}

describe('FairSemaphore', () => {
  it('limits the permits of one holder, while others still get theirs', async () => {
    const shares = open();
    const first = await shares.acquire(['a']);
    await shares.acquire(['a']);
    await expect(shares.acquire(['a'])).rejects.toMatchObject({ code: 'share_exceeded' });
    await expect(shares.acquire(['b'])).resolves.toBeTypeOf('function');

    const third = shares.acquire(['a']);
    first();
    await expect(third).resolves.toBeTypeOf('function');
  });

  it('counts an account over all its workspaces', async () => {
    const shares = open();
    await shares.acquire(['workspace:1', 'account:1']);
    await shares.acquire(['workspace:2', 'account:1']);
    await expect(shares.acquire(['workspace:3', 'account:1'])).rejects.toMatchObject({
      code: 'share_exceeded',
    });
    await expect(shares.acquire(['workspace:3', 'account:2'])).resolves.toBeTypeOf('function');
  });

  it('grants a permit to the holder with the fewest first, before earlier requests of others', async () => {
    const shares = open({ size: 2, timeoutMs: 5_000 });
    const order: string[] = [];
    const take = noting(shares, order);
    const held = [await take('a1', 'a'), await take('a2', 'a')];
    const waiting = [take('a3', 'a'), take('a4', 'a'), take('b1', 'b'), take('nobody')];

    held[0]?.();
    (await waiting[2])?.();
    (await waiting[3])?.();
    await waiting[0];
    held[1]?.();
    await waiting[1];
    expect(order).toEqual(['a1', 'a2', 'b1', 'nobody', 'a3', 'a4']);
  });

  it('bounds the queue, and distinguishes a holder over its share from a full queue', async () => {
    const shares = open({ size: 1, maxPerHolder: 1, maxWaiting: 2 });
    await shares.acquire(['a']);
    const waiting = Promise.allSettled([shares.acquire(['a']), shares.acquire(['a'])]);
    await expect(shares.acquire(['a'])).rejects.toMatchObject({ code: 'share_exceeded' });
    await expect(shares.acquire(['b'])).rejects.toMatchObject({ code: '53300' });
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('loses no permit when a waiting request times out', async () => {
    const shares = open({ size: 1, maxPerHolder: 1 });
    const giveBack = await shares.acquire(['a']);
    await expect(shares.acquire(['a'])).rejects.toMatchObject({ code: 'share_exceeded' });
    giveBack();
    for (let count = 0; count < 3; count += 1) (await shares.acquire(['a']))();
  });
});
