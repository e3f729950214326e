import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { beginOnWeb, type WebAssignment } from '../../support/chats/web-chat.js';
import { days } from '../../support/lib/moved-clock.js';
import { type SkippingSystem, startSkippingSystem } from '../../support/system/skipping-system.js';
import { createSmsWorkspace, type SmsWorkspace } from '../../support/system/sms-workspace.js';
import { bundleImpatientRuns } from './bundle-impatient-runs.js';
import { fewEvents } from './few-events.js';
import { historyChain } from './history-chain.js';

let system: SkippingSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSkippingSystem({ workflowBundle: await bundleImpatientRuns() });
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

const months = Array.from({ length: 12 }, (_, index) => `Month ${index + 1}`);

/** Twelve waits of thirty days, during which the agent answers every message. */
const year: RevisionTask = {
  name: 'Welcome',
  taskType: 'message',
  configuration: { text: 'A year begins.' },
  autoNext: true,
  children: [
    ...months.map(
      (name): RevisionTask => ({
        name,
        taskType: 'wait',
        configuration: { for: 'P30D' },
        autoNext: true,
      }),
    ),
    { name: 'End', taskType: 'conclude', configuration: { outcome: 'year_over' } },
  ],
};

const fortnights = 25;
const perFortnight = 20;
/** The number of messages of each fortnight that are written one by one; the others are written at once. */
const oneByOne = 2;

/** The numbered messages of the whole year. */
const everyMessage = Array.from({ length: fortnights * perFortnight }, (_, index) => `message ${index + 1}`);
const inOrder = (texts: string[]): string[] =>
  texts.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));

async function writeForAYear(chat: WebAssignment): Promise<void> {
  for (let fortnight = 0; fortnight < fortnights; fortnight += 1) {
    const texts = everyMessage.slice(fortnight * perFortnight, (fortnight + 1) * perFortnight);
    for (const text of texts.splice(0, oneByOne)) {
      await chat.write(text);
      await chat.handled();
    }
    await Promise.all(texts.map((text) => chat.write(text)));
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

it('continues an assignment of a year with 500 messages as new, and answers each message once', async () => {
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
