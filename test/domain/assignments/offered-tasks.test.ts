import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSituation } from '../../../domain/agent/situation.js';
import { requestTask } from '../../../domain/assignments/request-task.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { SelectTaskRequest, SelectTaskResult } from '../../../workflows/contracts/commands.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, runToolCall, Turn, toolResult } from '../agent/take-round.js';

const suite = useWorkspace();
const talk = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [{ abilityType: 'handoff' }],
  ...more,
});

/** Two rooms with a door each, and a handoff before the last task. */
const house = talk('Hall', {
  children: [
    talk('Left', { children: [talk('Left door')] }),
    talk('Right', { children: [talk('Right door')] }),
    talk('Cellar', { celGuard: 'assignment.is_test' }),
    {
      name: 'Doctor',
      taskType: 'handoff',
      required: true,
      configuration: {},
      children: [talk('Approved'), talk('Declined')],
    },
    {
      name: 'Decide',
      taskType: 'decision',
      children: [
        talk('Won', { celCondition: 'assignment.is_test' }),
        talk('Lost', { celCondition: '!assignment.is_test' }),
      ],
    },
    { name: 'Goodbye', taskType: 'message', autoNext: true, configuration: { text: 'Goodbye.' } },
  ],
});

const stage = () => stageAssignment(suite.workspace, house);

async function select(
  staged: StagedAssignment,
  taskName: string,
  asked: Pick<SelectTaskRequest, 'anyTask'> = { anyTask: false },
): Promise<SelectTaskResult> {
  const { answer } = await selectTask(staged.context, {
    workspaceId: staged.workspaceId,
    assignmentId: staged.assignmentId,
    assignmentTaskId: (await staged.task(taskName)).id,
    requestUuid: randomUUID(),
    actorMemberId: suite.workspace.member.memberId,
    byOperator: false,
    ...asked,
  });
  return answer;
}

/** The uuids of the tasks that the agent may choose at this moment. */
const choicesOfAgent = async (staged: StagedAssignment): Promise<string[]> => {
  const chat = await staged.chat();
  const { choices } = await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
    readSituation(tx, chat, staged.clock.now()),
  );
  return choices.map(({ uuid }) => uuid);
};

const resume = (staged: StagedAssignment) =>
  updateChat(suite.workspace.context(suite.workspace.admin, staged.clock), staged.chatId, { paused: false });

describe('selectTask for a member without the permission', () => {
  it.each(['Hall', 'Left', 'Goodbye'])('offers in "%s" the same tasks as the agent gets', async (place) => {
    const staged = await stage();
    if (place !== 'Hall') await select(staged, place);

    const answer = await select(staged, 'Right door');

    expect(answer).toMatchObject({ kind: 'refused', rule: 'not_offered' });
    expect(answer).toHaveProperty('offeredTaskUuids', await choicesOfAgent(staged));
    expect(await staged.currentTask()).toBe(place);
  });

  it('enters a child of a decision only through the decision, whose condition counts', async () => {
    const staged = await stage();

    expect(await select(staged, 'Won')).toMatchObject({ rule: 'not_offered' });
    expect(await select(staged, 'Decide')).toEqual({ kind: 'entered' });

    expect(await staged.currentTask()).toBe('Lost');
  });

  it('reports a guard that does not hold before any other rule', async () => {
    expect(await select(await stage(), 'Cellar')).toMatchObject({ rule: 'cel_guard' });
  });

  it.each([false, true])(
    'waits in a handoff for a colleague (paused by the member before: %s)',
    async (paused) => {
      const staged = await stage();
      await updateChat(staged.context, staged.chatId, { paused });
      await select(staged, 'Doctor');

      expect(await select(staged, 'Approved')).toMatchObject({ rule: 'not_offered', offeredTaskUuids: [] });
      await expect(updateChat(staged.context, staged.chatId, { paused: false })).rejects.toThrow(
        'chats:write',
      );
      expect(await staged.currentTask()).toBe('Doctor');

      await resume(staged);
      await staged.advance();
      expect(await select(staged, 'Approved')).toEqual({ kind: 'entered' });
    },
  );
});

describe.each([{ anyTask: true }, {}])('selectTask with anyTask or from an earlier version: %j', (asked) => {
  it('checks the guards only', async () => {
    const staged = await stage();

    expect(await select(staged, 'Right door', asked)).toEqual({ kind: 'entered' });
    expect(await select(staged, 'Hall', asked)).toEqual({ kind: 'entered' });
    expect(await select(staged, 'Cellar', asked)).toMatchObject({ rule: 'cel_guard' });
  });
});

it('requestTask names ten of the offered tasks in the refusal, and the number of the others', async () => {
  const doors = Array.from({ length: 12 }, (_, index) =>
    talk(`Door ${index}`, index === 0 ? { children: [talk('Behind')] } : {}),
  );
  const staged = await stageAssignment(suite.workspace, talk('Hall', { children: doors }));
  const runs = {
    selectTask: async (_run: unknown, { assignmentTaskId: _id, ...request }: SelectTaskRequest) =>
      select(staged, 'Behind', request),
  };

  const asked = requestTask(staged.context, runs, staged.assignmentId, (await staged.task('Behind')).id);

  await expect(asked).rejects.toThrow('"Door 8", "Door 9" and 2 more. Any other needs');
});

describe('a select during a turn of the agent', () => {
  /** The agent has called select_task for the left room; the tool call is stored and not run yet. */
  async function goingLeft(): Promise<{ staged: StagedAssignment; toolCallId: string }> {
    const staged = await stage();
    const [left = ''] = await choicesOfAgent(staged);
    const answered = await new Turn(staged).take(call(['select_task', { task: left }]));
    const [toolCallId = ''] = answered.kind === 'tools' ? answered.toolCallIds : [];
    return { staged, toolCallId };
  }

  it('is checked against the task that the agent has entered since the request', async () => {
    const { staged, toolCallId } = await goingLeft();
    const runs = {
      selectTask: async (_run: unknown, request: SelectTaskRequest) => {
        await runToolCall(staged, toolCallId);
        const { workspaceId, assignmentId } = staged;
        return (await selectTask(staged.context, { workspaceId, assignmentId, ...request })).answer;
      },
    };

    const asked = requestTask(staged.context, runs, staged.assignmentId, (await staged.task('Right')).id);

    await expect(asked).rejects.toMatchObject({
      kind: 'invalid',
      code: 'task_not_allowed',
      message: expect.stringContaining('offers: "Left door".'),
    });
    expect(await staged.currentTask()).toBe('Left');
  });

  it('either enters its task and supersedes the tool call, or is refused', async () => {
    const { staged, toolCallId } = await goingLeft();

    const [answer] = await Promise.all([select(staged, 'Right'), runToolCall(staged, toolCallId)]);

    const entered = answer.kind === 'entered';
    expect(await staged.currentTask()).toBe(entered ? 'Right' : 'Left');
    expect(await toolResult(staged, toolCallId)).toMatchObject(
      entered ? { ok: false, error: 'overtaken' } : { ok: true, currentTask: 'Left' },
    );
    if (!entered) expect(answer).toMatchObject({ kind: 'refused', rule: 'not_offered' });
  });
});
