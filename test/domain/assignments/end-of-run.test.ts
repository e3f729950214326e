import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { markMemberDeleted } from '../../../db/people/members.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { activeAssignments } from '../../../domain/assignments/reconcile-runs.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { deleteMember } from '../../../domain/people/members/delete-member.js';
import { pokesOf } from '../../support/chats/pokes-of.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, Turn } from '../agent/take-round.js';

const suite = useWorkspace();

const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask "How are you?"',
  abilities: [{ abilityType: 'conclude' }],
  children: [
    { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } },
    { name: 'Later', taskType: 'wait', configuration: { for: 'PT1S' }, autoNext: true },
  ],
};

async function stage(): Promise<StagedAssignment> {
  const { workspace } = suite;
  const member = await addMember(workspace, { role: workspace.roles.member });
  const staged = await stageAssignment(workspace, root, { member });
  await staged.advance();
  return staged;
}

async function select(staged: StagedAssignment, taskName: string): Promise<void> {
  const { workspaceId, assignmentId, context } = staged;
  const { memberId: actorMemberId } = suite.workspace.admin;
  const assignmentTaskId = (await staged.task(taskName)).id;
  const request = { requestUuid: randomUUID(), assignmentTaskId, actorMemberId, byOperator: true };
  await selectTask(context, { workspaceId, assignmentId, ...request });
}

const asAdmin = () => suite.workspace.context();
const memberOf = async (staged: StagedAssignment) => (await staged.assignment()).memberId;

/** What ends an assignment while its run waits. Tools, keys and messages of a call: `open-desk.test.ts`. */
const outside: [what: string, end: (staged: StagedAssignment) => Promise<unknown>][] = [
  [
    'a colleague by an update',
    ({ assignmentId }) => updateAssignment(asAdmin(), assignmentId, { status: 'failed' }),
  ],
  [
    'a colleague by a tool call',
    ({ chatId }) => {
      const toolCalls = [{ name: 'conclude', arguments: JSON.stringify({ outcome: 'helped' }) }];
      return sendAssistantMessage(asAdmin(), { chatId, message: 'Goodbye.', toolCalls });
    },
  ],
  ['the deletion of the member', async (staged) => deleteMember(asAdmin(), await memberOf(staged))],
];

/** Steps of the run itself, which reads what they return. */
const inside: [what: string, end: (staged: StagedAssignment) => Promise<unknown>][] = [
  ['selecting a task', (staged) => select(staged, 'Done')],
  ['a cancellation', ({ context, ...staged }) => cancelAssignment(context, staged)],
  ['a tool call of the agent', (staged) => new Turn(staged).run(call(['conclude', { outcome: 'done' }]))],
  [
    'the next step',
    async (staged) => {
      await select(staged, 'Later');
      staged.clock.advance(1_000);
      await staged.advance();
    },
  ],
  [
    'the next step after the member was deleted meanwhile',
    async (staged) => {
      const memberId = await memberOf(staged);
      await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
        markMemberDeleted(tx, memberId, staged.clock.now()),
      );
      await staged.advance();
    },
  ],
  [
    'the net, because the run was terminated',
    async ({ context, ...staged }) => {
      const { id, uuid } = await staged.assignment();
      await emptyOutbox(suite.database);
      await activeAssignments.repair(context, { workspaceId: staged.workspaceId, id, uuid }, 'closed');
    },
  ],
];

async function pokesBy(end: (staged: StagedAssignment) => Promise<unknown>): Promise<number> {
  const staged = await stage();
  const before = await pokesOf(suite.workspace, staged);
  await end(staged);
  expect((await staged.assignment()).status).not.toBe('active');
  return (await pokesOf(suite.workspace, staged)) - before;
}

describe('the run of an assignment', () => {
  it.each(outside)('is poked once when its assignment is ended by %s', async (_, end) => {
    expect(await pokesBy(end)).toBe(1);
  });

  it.each(inside)('costs no poke when its assignment is ended by %s', async (_, end) => {
    expect(await pokesBy(end)).toBe(0);
  });

  it('is poked once by a change that ends nothing', async () => {
    const staged = await stage();
    const before = await pokesOf(suite.workspace, staged);
    await updateAssignment(asAdmin(), staged.assignmentId, { outcome: 'half way' });
    expect(await pokesOf(suite.workspace, staged)).toBe(before + 1);
  });
});
