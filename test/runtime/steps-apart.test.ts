import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { stepDeadline, stepsApart } from '../../runtime/worker/steps-apart.js';

const noting = (place: string) =>
  ({ advanceChat: async () => ({ place, deadline: stepDeadline() }) }) as unknown as Activities;
const activities = stepsApart(noting('local'), noting('ordinary'));
const run = (isLocal: boolean) =>
  new MockActivityEnvironment({ isLocal, startToCloseTimeoutMs: 1_500 }).run(
    activities.advanceChat as never,
    { workspaceId: 1, chatId: 1 },
  ) as Promise<{ place: string; deadline: number | undefined }>;

it('stepsApart gives local activities their own connections and a deadline', async () => {
  const before = Date.now();
  const { place, deadline } = await run(true);
  expect(place).toBe('local');
  expect(deadline).toBeGreaterThanOrEqual(before + 1_500);
  expect(deadline).toBeLessThanOrEqual(Date.now() + 1_500);
});

it('stepsApart gives ordinary activities the shared connections and no deadline', async () => {
  expect(await run(false)).toEqual({ place: 'ordinary', deadline: undefined });
});
