import { setTimeout as pause } from 'node:timers/promises';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { updateMember } from '../../../domain/people/members/update-member.js';
import { publishDefinition } from '../../../test/support/workspace/definitions.js';
import { addMemberRow } from '../../../test/support/workspace/factories.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addAssistant, ask } from '../support/ask.js';
import { countRows } from '../support/count.js';
import { concurrently } from '../support/durations.js';
import { medianAnswerByApi } from '../support/median-answer.js';

const membersAtOnce = 8;

/** It reads the labels of the member, and never holds. */
const discharged: RevisionTask = {
  name: 'Until discharged',
  taskType: 'wait',
  configuration: { condition: '"discharged" in member.labels' },
  autoNext: true,
};

/** The time from a member's message to the agent's stored reply while runs of the same workspace are woken. */
export const answerWhileWaking: Figure = {
  name: 'answer-while-waking',
  title: 'Message to stored reply while 3,000 runs are woken, p50',
  unit: 'ms',
  target: { ratioAtMost: 3 },
  async prepare(stage, { operations, wokenRuns }) {
    const { workspace } = stage;
    const assistantMemberId = await addAssistant(stage);
    const [api] = await Promise.all([stage.startApi(), stage.startWorker()]);
    const label = await createLabel(workspace.context(), memberLabels, { name: 'On the ward' });
    await addWaiting(stage, label.id, wokenRuns);
    const answers = () => medianAnswerByApi(stage, api, assistantMemberId, operations);
    const allAreWoken = async () => {
      while ((await countToWake(stage)) > 0) await pause(100);
    };
    let changes = 0;
    return {
      floor: async () => {
        await allAreWoken();
        return answers();
      },
      measured: async () => {
        await allAreWoken();
        changes += 1;
        await ask(stage, api, 'PUT', `/member-labels/${label.id}`, { body: { slug: `ward-${changes}` } });
        const measured = await answers();
        if ((await countToWake(stage)) === 0) throw new Error('the runs were woken before the last answer');
        return measured;
      },
    };
  },
};

/** Members with the label, each with an assignment that waits. */
async function addWaiting(stage: Stage, labelId: number, count: number): Promise<void> {
  const { workspace } = stage;
  const { workflowId } = await publishDefinition(workspace, discharged);
  await concurrently(count, membersAtOnce, async () => {
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    await updateMember(workspace.context(), id, { labelIds: [labelId] });
    await createAssignment(workspace.context(), { workflowId, memberId: id });
  });
  const begun = `from assignments where status = 'active' and current_task_id is not null`;
  while ((await countRows(stage, begun)) < count) await pause(100);
}

/** Pokes that wait, and one for the label while its change is not applied to all. */
const countToWake = (stage: Stage) =>
  countRows(stage, 'from (select from outbox where woken union all select from label_changes) as to_wake');
