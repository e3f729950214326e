import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { abandonTurn } from '../../../domain/agent/abandon-turn.js';
import { recordAnswer } from '../../../domain/agent/record-answer.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, runToolCall, Turn, toolResult } from './take-round.js';

const suite = useWorkspace();

const talk = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: 'Talk.',
  ...more,
});
const root = talk('Ask', {
  abilities: [{ abilityType: 'conclude' }, { abilityType: 'send_sms' }],
  children: [
    talk('First', { autoNext: true }),
    talk('Second', { autoNext: true, abilities: [{ abilityType: 'handoff' }] }),
    { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } },
  ],
});
const stage = (options = {}) => stageAssignment(suite.workspace, root, options);

/** Stores tool calls of the agent without running them. */
async function decided(staged: StagedAssignment, ...calls: [string, object][]): Promise<string[]> {
  const result = await new Turn(staged).take(call(...calls));
  if (result.kind !== 'tools') throw new Error(`no tools are called: ${result.kind}`);
  return result.toolCallIds;
}

async function enter(staged: StagedAssignment, taskName: string): Promise<void> {
  await selectTask(staged.context, {
    workspaceId: staged.workspaceId,
    assignmentId: staged.assignmentId,
    assignmentTaskId: (await staged.task(taskName)).id,
    requestUuid: randomUUID(),
    actorMemberId: suite.workspace.admin.memberId,
    byOperator: true,
    notAfter: staged.clock.now().getTime() + 1_000,
  });
}

describe('a stored tool call', () => {
  it('is not run after a person has taken over the chat', async () => {
    const staged = await stage({ channel: 'phone-sms' });
    const [toolCallId = ''] = await decided(staged, ['conclude', { outcome: 'won' }]);
    await staged.operatorWrites('I will see to this myself');

    const { endsTurn } = await runToolCall(staged, toolCallId);

    expect(endsTurn).toBe(true);
    expect(await toolResult(staged, toolCallId)).toEqual({ ok: false, error: 'overtaken' });
    expect((await staged.assignment()).status).toBe('active');
  });

  it('is not applied to the next task when its own task was left in the meantime', async () => {
    const staged = await stage();
    await enter(staged, 'First');
    const [toolCallId = ''] = await decided(staged, ['complete_task', {}]);
    await enter(staged, 'Second');

    await runToolCall(staged, toolCallId);

    expect(await staged.currentTask()).toBe('Second');
    expect((await staged.task('Second')).completedAt).toBeNull();
  });

  it('is applied once when one answer holds it twice', async () => {
    const staged = await stage();
    await enter(staged, 'First');
    const calls = await decided(staged, ['complete_task', {}], ['complete_task', {}]);

    for (const toolCallId of calls) await runToolCall(staged, toolCallId);

    expect(await staged.currentTask()).toBe('Second');
    expect((await staged.task('Second')).completedAt).toBeNull();
  });

  it('is dropped in a round that has to answer with text', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();

    const result = await recordAnswer(
      staged.context,
      { ...turn.ref, mustAnswer: true },
      asked,
      call(['conclude', { outcome: 'won' }]),
    );

    expect(result).toEqual({ kind: 'nothing_to_say' });
    expect((await staged.chat()).needsResponse).toBe(true);
  });
});

describe('abandonTurn', () => {
  it('marks the chat as handled up to the version at the start of the turn, and no further', async () => {
    const staged = await stage();
    const { version: chatVersion } = await staged.chat();
    await staged.memberWrites('And another thing');

    await abandonTurn(staged.context, {
      workspaceId: staged.workspaceId,
      chatId: staged.chatId,
      chatVersion,
    });

    expect(await staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'turn_failed',
      handledVersion: chatVersion,
    });
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });
});
