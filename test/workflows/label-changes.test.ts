import { expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { readable, recordRuns, summariesOf } from './histories.js';
import { beginOnTheWard } from './small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);

it('a deleted label is taken from its members by a run, which wakes who waited for that', async () => {
  const { assignment, label } = await beginOnTheWard(workspace);
  const waiting = system.run('runAssignment', assignment.assignmentUuid);
  await waitFor('the assignment has looked at the label', async () => {
    const { events } = await waiting.fetchHistory();
    return events?.some((event) => event.workflowTaskCompletedEventAttributes);
  });

  expect((await workspace.asAdmin('DELETE', `/member-labels/${label.id}`)).status).toBe(204);

  await assignment.heard('Welcome to the hall.');
  const run = system.run('applyLabelChange', label.uuid);
  expect(await run.result()).toEqual({ visited: 1, woken: 1 });
  const left = 'select id from member_label_links where member_label_id = ?';
  expect(await workspace.select(left, [label.id])).toEqual([]);
  const [history] = await recordRuns(system, `WorkflowId = 'label-change-${label.uuid}'`);
  expect(history && summariesOf(history)).toEqual([
    `Label ${label.id} of members: applies its change`,
    'Visit the next members with the label',
  ]);
  expect(history && readable(history)).not.toContain('ward');
});
