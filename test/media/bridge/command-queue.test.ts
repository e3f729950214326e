import { expect, test } from 'vitest';
import { CommandQueue } from '../../../media/bridge/command-queue.js';
import { systemClock } from '../../../media/bridge/system-clock.js';

test('a command that is not taken, because too many wait, comes back without a result', async () => {
  const warnings: string[] = [];
  const work = new CommandQueue({
    clock: systemClock,
    log: { info: () => {}, warn: (_, message) => void warnings.push(message) },
    giveUp: () => {},
    endNow: () => {},
  });
  const results: (string | undefined)[] = [];
  for (let place = 0; place < 200; place += 1) work.inOrder('store', () => new Promise(() => {}));
  work.inOrder(
    'played',
    async () => 'stored',
    (result) => void results.push(result),
  );
  expect(results).toEqual([]);
  await Promise.resolve();
  expect({ results, warnings }).toEqual({
    results: [undefined],
    warnings: ['a call could not played: too much waits'],
  });
});
