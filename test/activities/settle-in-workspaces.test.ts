import { expect, it } from 'vitest';
import { atMost } from '../../activities/kernel/settle-in-workspaces.js';

it('settles only so many batches of a list in a workspace, so that others have their turn', async () => {
  const settled: unknown[] = [];
  const list = atMost(3, {
    name: 'rows',
    async settle(workspaceId, after = 0) {
      settled.push([workspaceId, after]);
      return Number(after) + 10;
    },
  });
  for (let after: unknown, first = true; first || after !== undefined; first = false) {
    after = await list.settle(7, after);
  }
  expect(settled).toEqual([
    [7, 0],
    [7, 10],
    [7, 20],
  ]);
});
