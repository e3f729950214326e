import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentTaskRow } from '../../../db/assignments/assignment-tasks.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { beginOnWeb, type WebAssignment } from '../../support/chats/web-chat.js';
import { days, hours } from '../../support/lib/moved-clock.js';
import { type SkippingSystem, startSkippingSystem } from '../../support/system/skipping-system.js';
import { createSmsWorkspace, type SmsWorkspace } from '../../support/system/sms-workspace.js';
import { historyChain } from './history-chain.js';

let system: SkippingSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSkippingSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

const wait = (configuration: Record<string, unknown>, name = 'Wait'): RevisionTask => ({
  name,
  taskType: 'wait',
  configuration,
  autoNext: true,
});

/** Waits one after the other, followed by the end. */
const waits = (...tasks: RevisionTask[]): RevisionTask => ({
  name: 'Begin',
  taskType: 'message',
  configuration: { text: 'Hello.' },
  autoNext: true,
  children: [...tasks, { name: 'End', taskType: 'conclude', configuration: { outcome: 'waited' } }],
});

async function begin(...tasks: RevisionTask[]): Promise<WebAssignment> {
  const chat = await beginOnWeb({ system, workspace }, waits(...tasks));
  await chat.rests();
  return chat;
}

const waited = ({ visitedAt, completedAt }: AssignmentTaskRow): number =>
  (completedAt?.getTime() ?? Number.NaN) - (visitedAt?.getTime() ?? Number.NaN);

/** Expects this duration or slightly more, because a worker has to handle the timer. */
function expectWaited(row: AssignmentTaskRow, milliseconds: number): void {
  expect(waited(row)).toBeGreaterThanOrEqual(milliseconds);
  expect(waited(row)).toBeLessThan(milliseconds + 60_000);
}

describe('a wait task', () => {
  it.each([
    ['for thirty days', { for: 'P30D' }],
    ['until a time thirty days ahead', { until: '{{ now + duration("720h") }}' }],
  ])('%s ends on time, with one timer', async (_, configuration) => {
    const chat = await begin(wait(configuration));

    await system.skip(days(30) - hours(1));
    await chat.rests();
    expect((await chat.task('Wait')).completedAt).toBeNull();
    expect((await chat.assignment()).status).toBe('active');
    await system.skip(hours(1));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
    const [run] = await historyChain(system.client, `assignment-${chat.assignmentUuid}`);
    expect(run?.events.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
  });

  it('lets the agent answer in between and keeps its end time', async () => {
    const chat = await begin(wait({ for: 'P30D' }));

    for (const text of ['one', 'two']) {
      await system.skip(days(10));
      await chat.write(text);
      await chat.handled();
      await chat.rests();
    }
    expect((await chat.task('Wait')).completedAt).toBeNull();
    await system.skip(days(11));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
    expect(await chat.said('assistant')).toHaveLength(3);
  });

  it('with unlessReply ends at the reply, once', async () => {
    const chat = await begin(
      wait({ for: 'P30D', unlessReply: true }, 'Reply'),
      wait({ for: 'P90D' }, 'Later'),
    );

    await system.skip(days(10));
    await chat.write('here I am');
    await chat.completed('Reply');
    await chat.rests();
    await system.skip(days(40));

    expectWaited(await chat.task('Reply'), days(10));
    expect((await chat.task('Later')).completedAt).toBeNull();
    await system.skip(days(51));
    await chat.concluded('completed');
    expectWaited(await chat.task('Later'), days(90));
  });

  it('with unlessReply ends on time without a reply', async () => {
    const chat = await begin(wait({ for: 'P30D', unlessReply: true }));

    await system.skip(days(31));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
  });

  it('ends on time in a paused chat', async () => {
    const chat = await begin(wait({ for: 'P30D' }));
    await chat.update({ paused: true });
    await chat.rests();

    await system.skip(days(31));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
  });

  it('does not end in an archived chat, and ends when the chat is reopened', async () => {
    const chat = await begin(wait({ for: 'P30D' }));
    await chat.update({ archived: true });
    await chat.rests();

    await system.skip(days(50));
    await chat.rests();
    expect((await chat.task('Wait')).completedAt).toBeNull();
    await chat.update({ archived: false });

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(50));
  });

  it('starts when the previous of six successive waits ends', async () => {
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];
    const chat = await begin(...names.map((name) => wait({ for: 'P60D' }, name)));

    await system.skip(days(361));

    await chat.concluded('completed');
    const rows = await Promise.all(names.map((name) => chat.task(name)));
    for (const row of rows) expectWaited(row, days(60));
    for (const [index, row] of rows.slice(1).entries()) {
      expect(row.visitedAt).toEqual(rows[index]?.completedAt);
    }
  });
});
