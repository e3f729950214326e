import { expect, it } from 'vitest';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { readable, recordRuns, summariesOf } from './histories.js';
import { beginOnTheWard } from './small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);

it('a deleted label is taken from its members by a run, which wakes who waited for that', async () => {
  const { assignment, label } = await beginOnTheWard(workspace);

  expect((await workspace.asAdmin('DELETE', `/member-labels/${label.id}`)).status).toBe(204);

  await assignment.heard('Welcome to the hall.');
  const run = system.run('applyLabelChange', label.uuid);
  // On a busy machine the assignment looks at the label for the first time when it is gone, and needs no poke.
  expect(await run.result()).toMatchObject({ visited: 1 });
  const left = 'select id from member_label_links where member_label_id = ?';
  expect(await workspace.select(left, [label.id])).toEqual([]);
  const [history] = await recordRuns(system, `WorkflowId = 'label-change-${label.uuid}'`);
  expect(history && summariesOf(history)).toEqual([
    `Label ${label.id} of members: applies its change`,
    'Visit the next members with the label',
  ]);
  expect(history && readable(history)).not.toContain('ward');
});
