import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../domain/revision-rules/types.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createSmsWorkspace, type SmsAssignment, type SmsWorkspace } from '../support/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system.js';
import { waitFor } from '../support/wait-for.js';
import { doors, talk } from './small-trees.js';

/** Its run enters the hall by itself, some seconds after the assignment was made. */
const afterWaiting: RevisionTask = {
  name: 'Wait',
  taskType: 'wait',
  configuration: { for: 'PT5S' },
  autoNext: true,
  children: [talk('Hall', 'Welcome to the hall.')],
};

let testDatabase: TestDatabase;
let superuser: pg.Client;
let system: TestSystem;
let workspace: SmsWorkspace;
let definitionId: number;
let waitingId: number;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  await superuser.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  );
  system = await startSystem({ testDatabase });
  workspace = await createSmsWorkspace(system);
  definitionId = await workspace.publish(doors);
  waitingId = await workspace.publish(afterWaiting);
});
beforeEach(() => mend());
afterAll(async () => {
  await system.stop();
  await superuser.end();
  await testDatabase.drop();
});

/** From now on each step that writes such rows fails, as in a release with a fault: not for a reason that passes. */
const breakSteps = (table: string) =>
  superuser.query(`create trigger broken before insert or update on ${table} execute function fail()`);
const mend = () => superuser.query('drop trigger if exists broken on assignment_task_visits');

const handleOf = (workflowId: string) => system.client.workflow.getHandle(workflowId);
const stands = (workflowId: string) =>
  waitFor(
    'the run stands still',
    async () => {
      const { events } = await handleOf(workflowId).fetchHistory();
      return events?.some(
        ({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled?.activityType?.name === 'noteStandstill',
      );
    },
    60_000,
  );
const calledFor = async (assignment: SmsAssignment) => {
  const { needsResponse, needsResponseReason } = await assignment.chat();
  return needsResponse && needsResponseReason;
};

describe('a step that fails each time', () => {
  it('calls a person after five attempts, stands still, and is tried again when poked', async () => {
    const assignment = await workspace.begin(waitingId);
    await breakSteps('assignment_task_visits');
    const runId = `assignment-${assignment.assignmentUuid}`;

    await stands(runId);
    await waitFor('a person is called', async () => (await calledFor(assignment)) === 'step_failed');
    expect((await handleOf(runId).describe()).status.name).toBe('RUNNING');
    expect((await assignment.assignment()).status).toBe('active');
    const { events } = await handleOf(runId).fetchHistory();
    const failures = events?.flatMap(
      ({ activityTaskFailedEventAttributes: failed }) => failed?.failure ?? [],
    );
    expect(failures?.map(({ applicationFailureInfo }) => applicationFailureInfo?.type)).toEqual([
      'step_failed',
    ]);
    expect(failures?.[0]?.message).toMatch(/^P0001 \(request [0-9a-f-]{36}\)$/);

    await mend();
    await handleOf(runId).signal('poke');
    await assignment.heard('Welcome to the hall.');
  });

  it('is answered honestly where a select asks for it, and the run goes on', async () => {
    const assignment = await workspace.begin(definitionId);
    await assignment.heard('Welcome to the hall.');
    await breakSteps('assignment_task_visits');
    const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId('Open')}/select`;
    const select = () => system.api.request('PUT', workspace.path(path), { apiKey: workspace.admin.apiKey });

    const refused = await select();
    expect(refused).toMatchObject({ status: 503, body: { code: 'step_failed' } });

    await mend();
    expect(await select()).toMatchObject({ status: 200, body: { taskName: 'Open' } });
    await assignment.heard('You are in the open room.');
  });
}, 120_000);
