import { describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { allOf } from '../../support/lib/csv-file.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsAssignment } from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { atRest } from '../../support/temporal/at-rest.js';
import { recordRuns } from '../histories.js';
import { beginInHall, doors, talk } from '../small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);

const heldDetails = /rests until it is resumed\.(?:\n\nTasks visited: .+)?$/;
const runOf = ({ assignmentUuid }: SmsAssignment) => system.run('runAssignment', assignmentUuid);

async function detailsOf(assignment: SmsAssignment): Promise<string> {
  const metadata = await runOf(assignment).query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

const rests = (assignment: SmsAssignment) =>
  waitFor('the run says that the workflow is held', async () =>
    heldDetails.test(await detailsOf(assignment)) ? detailsOf(assignment) : undefined,
  );

async function call(workflowId: number, verb: 'hold' | 'resume'): Promise<string> {
  const { status, body } = await workspace.asAdmin('POST', `/workflows/${workflowId}/${verb}`, {});
  expect(status).toBe(200);
  return body.uuid;
}

const soon: RevisionTask = {
  name: 'Soon',
  taskType: 'wait',
  configuration: { for: 'PT1S' },
  autoNext: true,
  children: [talk('Hall', 'Welcome to the hall.')],
};

describe('the runs of a held workflow', () => {
  it('drop the reply in progress, store what the member writes, and answer once after the resumption', async () => {
    const definitionId = await workspace.publish(doors);
    const texter = await workspace.addTexter('Held Reader');
    await system.model.script([{}, { hold: true, content: 'Too late.' }], 'Held Reader');
    const assignment = await workspace.begin(definitionId, texter);
    await assignment.heard('Welcome to the hall.');
    await assignment.write('hello');
    await system.model.held();

    await call(definitionId, 'hold');
    await system.model.release();

    expect(await rests(assignment)).toContain(
      'Task **Hall**: the workflow is held, rests until it is resumed.',
    );
    await assignment.write('anybody there?');
    const isCalled = async () => (await assignment.chat()).needsResponseReason === 'workflow_held';
    await waitFor('a colleague is alerted', isCalled);
    expect(await assignment.said('assistant')).toEqual(['Welcome to the hall.']);

    await call(definitionId, 'resume');
    await assignment.heard('I did not get that.');
    await assignment.settled();
    expect(await assignment.said('assistant')).toEqual([
      'Welcome to the hall.',
      expect.stringContaining('I did not get that.'),
    ]);
    expect(await assignment.said('user')).toEqual(['hello', 'anybody there?']);
    expect((await assignment.chat()).needsResponse).toBe(false);
  });

  it('let a timer pass, wait without another, and continue at once after the resumption', async () => {
    const definitionId = await workspace.publish(soon);
    const assignment = await workspace.begin(definitionId);
    await call(definitionId, 'hold');
    await rests(assignment);
    const run = runOf(assignment);
    await waitFor('the run is at rest', () => atRest(run));
    const { pendingActivities = [], workflowExecutionInfo } = (await run.describe()).raw;
    expect(pendingActivities).toEqual([]);
    expect(workflowExecutionInfo?.status).toBe(1);

    await call(definitionId, 'resume');

    await assignment.heard('Welcome to the hall.');
  });

  it('begin after the resumption if they were started meanwhile', async () => {
    const definitionId = await workspace.publish(doors);
    await call(definitionId, 'hold');
    const assignment = await workspace.begin(definitionId);
    await rests(assignment);
    expect(await assignment.said()).toEqual([]);

    await call(definitionId, 'resume');

    await assignment.heard('Welcome to the hall.');
  });

  it('follow a hold that comes right after a resumption, and are woken by the last resumption', async () => {
    const definitionId = await workspace.publish(doors);
    const assignment = await beginInHall(workspace, definitionId);
    await call(definitionId, 'hold');
    await assignment.write('hello');
    await rests(assignment);

    await call(definitionId, 'resume');
    const uuid = await call(definitionId, 'hold');
    await call(definitionId, 'resume');

    await assignment.heard('I did not get that.');
    await system.run('wakeAssignments', uuid).result();
  });

  it('refuse to select a task at once, and can be cancelled', async () => {
    const definitionId = await workspace.publish(doors);
    const assignment = await beginInHall(workspace, definitionId);
    await call(definitionId, 'hold');

    expect(await assignment.select('Open')).toMatchObject({ status: 409, body: { code: 'workflow_held' } });
    const path = `/assignments/${assignment.assignmentId}/cancel`;
    expect((await workspace.asAdmin('POST', path, {})).status).toBe(200);
    await assignment.concluded('cancelled');
    await waitFor(
      'the run is cancelled',
      async () => (await runOf(assignment).describe()).status.name === 'CANCELLED',
    );
  });

  it('are woken with three Actions for the workflow, two for each that has met the hold, none for others', async () => {
    const definitionId = await workspace.publish(doors);
    const met = await beginInHall(workspace, definitionId);
    const asleep = await beginInHall(workspace, definitionId);
    await Promise.all([met.settled(), asleep.settled()]);
    await call(definitionId, 'hold');
    await runOf(met).signal('poke');
    await rests(met);
    const countOf = async (assignment: SmsAssignment) =>
      (await runOf(assignment).fetchHistory()).events?.length ?? 0;
    const before = [await countOf(met), await countOf(asleep)];

    const uuid = await call(definitionId, 'resume');
    await waitFor('it is woken', async () => (await detailsOf(met)).includes('waits for the member'));
    const waking = system.run('wakeAssignments', uuid);
    await waking.result();

    const events = async (query: string) =>
      (await recordRuns(system, query)).flatMap((run) => run.events.map(({ eventType }) => eventType));
    const billed = (await events(`WorkflowId = '${waking.workflowId}'`)).filter((type) =>
      /EXECUTION_(STARTED|SIGNALED)|ACTIVITY_TASK_SCHEDULED|TIMER_STARTED|MARKER/.test(type),
    );
    expect(billed.map((type) => type.replace('EVENT_TYPE_', ''))).toEqual([
      'WORKFLOW_EXECUTION_STARTED',
      'WORKFLOW_EXECUTION_SIGNALED',
      'ACTIVITY_TASK_SCHEDULED',
    ]);
    const [history] = await recordRuns(system, `WorkflowId = '${runOf(met).workflowId}'`);
    const since = history?.events.slice(before[0]).map(({ eventType }) => eventType) ?? [];
    expect(since.filter((type) => /SIGNALED|MARKER|ACTIVITY_TASK_SCHEDULED/.test(type))).toHaveLength(2);
    expect(await countOf(asleep)).toBe(before[1]);
    const wakings = await allOf(system.client.workflow.list({ query: `WorkflowType = 'wakeAssignments'` }));
    expect(wakings.every(({ status }) => status.name !== 'FAILED')).toBe(true);
  });
});
