import { expect, it } from 'vitest';
import { SharedReads } from '../../../../domain/conversations/chat-events/shared-reads.js';
import { Admission } from '../../../../domain/lib/admission.js';

it('reads that wait for the same are one, and none joins a read in progress', async () => {
  const reads = new SharedReads<number>(new Admission({ slots: 1 }));
  let count = 0;
  let finish = () => {};
  const read = async () => {
    count += 1;
    const own = count;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return own;
  };
  const first = reads.run('a', read);
  const waiting = [reads.run('a', read), reads.run('b', read), reads.run('a', read)];
  const results = [];
  for (const one of [first, ...waiting.slice(0, 2)]) {
    finish();
    results.push(await one);
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(results).toEqual([1, 2, 3]);
  expect(await waiting[2]).toBe(2);
});
