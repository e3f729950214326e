import { describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours } from '../../support/lib/moved-clock.js';
import { addRecords } from '../../support/records/add-records.js';
import { addMember, randomTag } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { Turn } from '../agent/take-round.js';

const suite = useWorkspace();

/** A member with 200 records, each a list of 200 numbers. Comparing all of them takes hundreds of milliseconds. */
async function crowdedMember() {
  const slug = `t${randomTag().replaceAll('-', '')}`;
  const fields = [{ slug: 'list', name: 'List', fieldType: 'json' }];
  const type = await createDataType(suite.workspace.context(), {
    name: 'Type',
    slug,
    isCollection: true,
    fields,
  });
  const member = await addMember(suite.workspace);
  const list = Array.from({ length: 200 }, () => 1);
  const records = Array.from({ length: 200 }, () => ({ memberId: member.memberId, fieldValues: { list } }));
  await addRecords(suite.workspace, type.id, records);
  const all = `member.data.${slug}`;
  return { member, cheap: `${all}.size() > 0`, costly: `${all}.exists(x, ${all}.exists(y, x != y))` };
}

/** Gives a published task an expression that the previous release accepted and this one rejects. */
async function publishAsBefore(staged: StagedAssignment, name: string, changes: Record<string, unknown>) {
  await suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) => {
    await tx('workflow_tasks').where({ revision_id: staged.revisionId, name }).update(changes);
  });
}

describe('an expression that takes too long', () => {
  it('leaves the assignment at its task and calls a person', async () => {
    const { member, cheap, costly } = await crowdedMember();
    const tasks: RevisionTask = {
      name: 'Wait',
      taskType: 'wait',
      configuration: { for: 'PT1H' },
      autoNext: true,
      children: [
        {
          name: 'Chosen',
          taskType: 'conversation',
          celCondition: cheap,
          abilities: [{ abilityType: 'handoff' }],
        },
      ],
    };
    const staged = await stageAssignment(suite.workspace, tasks, { member });
    await publishAsBefore(staged, 'Chosen', { cel_condition: costly });
    staged.clock.advance(hours(2));

    const next = await staged.advance();

    expect(next).toMatchObject({ kind: 'wait', taskName: 'Wait' });
    expect(await staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'expression_failed',
    });
    expect(await staged.assignment()).toMatchObject({ status: 'active' });
  });

  it('calls a person when it is in the prompt, and waits until the member writes again', async () => {
    const { member, cheap, costly } = await crowdedMember();
    const tasks: RevisionTask = {
      name: 'Ask',
      taskType: 'conversation',
      prompt: `{{ ${cheap} }}`,
      children: [{ name: 'Done', taskType: 'conclude' }],
    };
    const staged = await stageAssignment(suite.workspace, tasks, { member });
    await publishAsBefore(staged, 'Ask', { prompt: `{{ ${costly} }}` });

    const prepared = await new Turn(staged).prepare();

    expect(prepared).toEqual({ kind: 'settled', result: { kind: 'nothing_to_say' } });
    expect(await staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'expression_failed',
    });
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });
});
