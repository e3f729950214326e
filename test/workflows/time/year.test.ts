import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { workflowSources } from '../../../runtime/workflow-sources.js';
import { beginOnWeb, type WebAssignment } from '../../support/chats/web-chat.js';
import { days } from '../../support/lib/moved-clock.js';
import { workflowBundle } from '../../support/run/backend-client.js';
import { startSkippingSystem } from '../../support/system/skipping-system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { historyChain } from './history-chain.js';
import { fewEvents } from './impatient-runs.js';

/** The runs as they are, but soon continued as new; beside the bundle of all tests. */
async function bundleImpatientRuns(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    ...workflowSources,
    workflowInterceptorModules: [
      ...workflowSources.workflowInterceptorModules,
      fileURLToPath(new URL('impatient-runs.ts', import.meta.url)),
    ],
    logger: new DefaultLogger('WARN'),
  });
  const path = join(dirname((await workflowBundle()).path), 'impatient-runs.js');
  await writeFile(path, code);
  return path;
}

const { system, workspace } = useSmsWorkspace(async () =>
  startSkippingSystem({ workflowBundle: await bundleImpatientRuns() }),
);

const months = Array.from({ length: 12 }, (_, index) => `Month ${index + 1}`);

/** Twelve waits of thirty days, during which the agent answers every message. */
const year: RevisionTask = {
  name: 'Welcome',
  taskType: 'message',
  configuration: { text: 'A year begins.' },
  autoNext: true,
  children: [
    ...months.map((name) => ({ name, taskType: 'wait', configuration: { for: 'P30D' }, autoNext: true })),
    { name: 'End', taskType: 'conclude', configuration: { outcome: 'year_over' } },
  ],
};

const fortnights = 25;
const perFortnight = 6;

/** The numbered messages of the whole year. */
const everyMessage = Array.from({ length: fortnights * perFortnight }, (_, index) => `message ${index + 1}`);
const inOrder = (texts: string[]): string[] =>
  texts.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));

async function writeForAYear(chat: WebAssignment): Promise<void> {
  for (let fortnight = 0; fortnight < fortnights; fortnight += 1) {
    const [alone = '', ...together] = everyMessage.slice(fortnight * perFortnight).slice(0, perFortnight);
    await chat.write(alone);
    await chat.handled();
    await Promise.all(together.map((text) => chat.write(text)));
    await chat.handled();
    await chat.rests();
    await system.skip(days(14));
  }
}

/** The messages that the simulated model says it has read, over all its answers. */
async function answeredIn(chat: WebAssignment): Promise<string[]> {
  return (await chat.said('assistant')).flatMap(
    (text) => /^You wrote: (.*)\. How can I help you\?$/.exec(text)?.[1]?.split(' / ') ?? [],
  );
}

it('continues an assignment of a year with 150 messages as new, and answers each message once', async () => {
  const chat = await beginOnWeb({ system, workspace }, year);
  await chat.rests();

  await writeForAYear(chat);
  expect((await chat.assignment()).status).toBe('active');
  await system.skip(days(14));
  const { outcome } = await chat.concluded('completed');

  expect(outcome).toBe('year_over');
  expect(inOrder(await chat.said('user'))).toEqual(everyMessage);
  expect(inOrder(await answeredIn(chat))).toEqual(everyMessage);
  for (const month of months) {
    const { visitedAt, completedAt } = await chat.task(month);
    const lateMs = (completedAt?.getTime() ?? 0) - (visitedAt?.getTime() ?? 0) - days(30);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(60_000);
  }
  const chain = await historyChain(system.client, `assignment-${chat.assignmentUuid}`);
  expect(chain.length).toBeGreaterThanOrEqual(5);
  expect(chain.map(({ continued }) => continued)).toEqual(chain.map((_, index) => index < chain.length - 1));
  expect(new Set(chain.map(({ input }) => input)).size).toBe(1);
  // No run continues far beyond the suggested history length.
  expect(Math.max(...chain.map(({ events }) => events.length))).toBeLessThan(fewEvents + 100);
}, 120_000);
