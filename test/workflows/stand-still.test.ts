import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { useDatabase } from '../support/db/use-database.js';
import { type FaultyRelease, prepareFaultyRelease, stoodStill } from '../support/faults/faulty-release.js';
import { waitFor } from '../support/lib/wait-for.js';
import type { SmsConversation } from '../support/system/sms-workspace.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { beginInHall, talk } from './small-trees.js';

/** Its run enters the hall without a request, some seconds after the assignment was created. */
const afterWaiting: RevisionTask = {
  name: 'Wait',
  taskType: 'wait',
  configuration: { for: 'PT5S' },
  autoNext: true,
  children: [talk('Hall', 'Welcome to the hall.')],
};

const testDatabase = useDatabase();
const { system, workspace } = useSmsWorkspace(() => startSystem({ testDatabase }));
let release: FaultyRelease;
let waitingId: number;

beforeAll(async () => {
  release = await prepareFaultyRelease(testDatabase.superuserUrl);
  waitingId = await workspace.publish(afterWaiting);
});
afterEach(() => release.repair());
afterAll(() => release.close());

const alertedFor = (chat: SmsConversation) =>
  waitFor('a colleague is alerted', async () => {
    const { needsResponse, needsResponseReason } = await chat.chat();
    return needsResponse && needsResponseReason;
  });

describe('an assignment whose step always fails', () => {
  it('alerts a colleague after five attempts, is at a standstill, and retries when poked', async () => {
    const assignment = await workspace.begin(waitingId);
    await release.breakWriting('assignment_tasks');
    const run = system.run('runAssignment', assignment.assignmentUuid);

    await stoodStill(run);
    expect(await alertedFor(assignment)).toBe('step_failed');
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect((await assignment.assignment()).status).toBe('active');
    const { events } = await run.fetchHistory();
    const failures = events?.flatMap(
      ({ activityTaskFailedEventAttributes: failed }) => failed?.failure ?? [],
    );
    expect(failures?.map(({ applicationFailureInfo }) => applicationFailureInfo?.type)).toEqual([
      'step_failed',
    ]);
    expect(failures?.[0]?.message).toMatch(/^P0001 \(request [0-9a-f-]{36}\)$/);

    await release.repair();
    await run.signal('poke');
    await assignment.heard('Welcome to the hall.');
  });

  it('can be cancelled during the standstill, and its run ends', async () => {
    const assignment = await workspace.begin(waitingId);
    await release.breakWriting('assignment_tasks');
    const run = system.run('runAssignment', assignment.assignmentUuid);
    await stoodStill(run);

    const cancelled = await workspace.asAdmin('POST', `/assignments/${assignment.assignmentId}/cancel`, {});

    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await waitFor('it ends as cancelled', async () => (await run.describe()).status.name === 'CANCELLED');
    expect((await assignment.assignment()).status).toBe('cancelled');
    expect(await assignment.said('assistant')).toEqual([]);
  });

  it('returns an error for a select during the failure, and then continues', async () => {
    const assignment = await beginInHall(workspace);
    await release.breakWriting('assignment_timeline_entries');

    expect(await assignment.select('Open')).toMatchObject({ status: 503, body: { code: 'step_failed' } });

    await release.repair();
    expect(await assignment.select('Open')).toMatchObject({ status: 200, body: { taskName: 'Open' } });
    await assignment.heard('You are in the open room.');
  });
}, 120_000);

describe('a chat whose step always fails', () => {
  it('alerts a colleague, is at a standstill, and answers everything after a new message', async () => {
    const chat = await workspace.openChat();
    await release.breakReading('token_usage_days');
    await chat.write('hello');
    const run = system.run('answerChat', chat.chatUuid);

    await stoodStill(run);
    expect(await alertedFor(chat)).toBe('step_failed');
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect(await chat.said('assistant')).toEqual([]);

    await release.repair();
    await chat.write('still there?');
    await chat.heard('hello / still there?');
    expect(await chat.chat()).toMatchObject({ needsResponse: false, needsResponseReason: null });
    await run.result();
  });
}, 120_000);

describe('messages whose delivery step always fails', () => {
  it('wait in order, alert a colleague, and are all retried with a new message', async () => {
    const chat = await workspace.openChat();
    const post = async (message: string) => expect(await chat.post(message)).toMatchObject({ status: 201 });
    await system.stopWorker();
    await post('one');
    await post('two');
    await release.breakReading('deliveries');
    await system.startWorker();
    const run = system.run('deliverMessages', chat.chatUuid);

    await stoodStill(run);
    expect(await alertedFor(chat)).toBe('delivery_stuck');
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect(await chat.carried()).toEqual([]);
    expect((await chat.history()).map(({ smsDeliveryStatus }) => smsDeliveryStatus)).toEqual([
      'sent',
      'sent',
    ]);

    await release.repair();
    await post('three');
    await chat.settled();
    await run.result();
    expect(await chat.carried()).toEqual(['one', 'two', 'three']);
  });
}, 120_000);
