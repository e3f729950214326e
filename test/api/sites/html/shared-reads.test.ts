import { expect, it } from 'vitest';
import { SharedReads } from '../../../../api/html/sites/shared-reads.js';

/** A look that ends when it is told to, and says which it is. */
function looks() {
  const begun: { end: (value?: string) => void; fail: () => void }[] = [];
  const look = () =>
    new Promise<string>((resolve, reject) => {
      const number = begun.length + 1;
      begun.push({
        end: (value = `look ${number}`) => resolve(value),
        fail: () => reject(new Error(`look ${number}`)),
      });
    });
  return { begun, look };
}

it('gives nobody a look that began before the request, and lets all who wait share the next one', async () => {
  const shared = new SharedReads<string>();
  const { begun, look } = looks();
  const first = shared.ask('site', look);
  const waiting = [shared.ask('site', look), shared.ask('site', look)];
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  expect(await first).toBe('look 1');
  expect(begun).toHaveLength(2);
  const later = shared.ask('site', look);
  begun[1]?.end();
  expect(await Promise.all(waiting)).toEqual(['look 2', 'look 2']);
  expect(begun).toHaveLength(3);
  begun[2]?.end();
  expect(await later).toBe('look 3');
});

it('keeps apart what is asked, and nothing of what has ended', async () => {
  const shared = new SharedReads<string>();
  const { begun, look } = looks();
  const answers = [shared.ask('one', look), shared.ask('other', look)];
  for (const { end } of begun) end();
  expect(await Promise.all(answers)).toEqual(['look 1', 'look 2']);
  const again = shared.ask('one', look);
  begun[2]?.end();
  expect(await again).toBe('look 3');
});

it('tells of a failed look those who asked for it, and looks again for the others', async () => {
  const shared = new SharedReads<string>();
  const { begun, look } = looks();
  const failed = shared.ask('site', look);
  const next = shared.ask('site', look);
  begun[0]?.fail();
  await expect(failed).rejects.toThrow('look 1');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end();
  expect(await next).toBe('look 2');
});
