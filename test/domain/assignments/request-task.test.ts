import { describe, expect, it } from 'vitest';
import { databaseTimeMs } from '../../../db/lib/database-time.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { requestCancel } from '../../../domain/assignments/request-cancel.js';
import { requestTask } from '../../../domain/assignments/request-task.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { Unavailable } from '../../../domain/lib/errors.js';
import type { SelectTaskRequest, SelectTaskResult } from '../../../workflows/contracts/commands.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const stage = () => stageAssignment(suite.workspace, conversationTasks(), { isTest: true });
const hour = 3_600_000;

/** Runs selectTask as a worker whose clock differs from that of the API by `differenceMs`. */
async function step(staged: StagedAssignment, request: SelectTaskRequest, differenceMs = 0) {
  const { workspaceId, assignmentId } = staged;
  const now = () => new Date(staged.clock.now().getTime() + differenceMs);
  const context = { ...staged.context, clock: { now } };
  return (await selectTask(context, { workspaceId, assignmentId, ...request })).answer;
}

/** Requests the task "Closed" of a run that does and answers this. */
async function ask(
  staged: StagedAssignment,
  work: (request: SelectTaskRequest) => Promise<SelectTaskResult | undefined>,
) {
  const runs = { selectTask: (_run: unknown, request: SelectTaskRequest) => work(request) };
  return requestTask(staged.context, runs, staged.assignmentId, (await staged.task('Closed')).id);
}

describe('requestTask', () => {
  it.each([-hour, 0, hour])('enters the task on a host whose clock differs by %d ms', async (difference) => {
    const staged = await stage();

    const task = await ask(staged, (request) => step(staged, request, difference));

    expect(task).toMatchObject({ visitedAt: expect.anything() });
    expect(await staged.currentTask()).toBe('Closed');
  });

  it('enters nothing once its caller has given up', async () => {
    const staged = await stage();
    const now = await suite.workspace.database.inWorkspace(staged.workspaceId, databaseTimeMs);

    const request = {
      requestUuid: crypto.randomUUID(),
      assignmentTaskId: (await staged.task('Closed')).id,
      actorMemberId: suite.workspace.member.memberId,
      byOperator: false,
      answerBy: now - 1,
    };
    expect(await step(staged, request, -hour)).toEqual({ kind: 'expired' });
  });
});

describe('requestTask with a run that closes before it answers', () => {
  it('succeeds when the select took effect', async () => {
    const staged = await stage();

    const task = await ask(staged, async (request) => {
      await step(staged, request);
      await cancelAssignment(staged.context, staged);
      return undefined;
    });

    expect(task).toMatchObject({ visitedAt: expect.anything() });
  });

  it('rejects with assignment_not_active when the assignment was concluded before', async () => {
    const staged = await stage();

    const asked = ask(staged, async () => {
      await cancelAssignment(staged.context, staged);
      return undefined;
    });

    await expect(asked).rejects.toMatchObject({ kind: 'conflict', code: 'assignment_not_active' });
  });

  it('rejects with run_closed, for the reconciler to repair, when the run is missing', async () => {
    const staged = await stage();

    const asked = ask(staged, async () => undefined);

    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', code: 'run_closed' });
  });
});

describe('a command whose step was committed but whose answer was lost', () => {
  const unanswered = new Unavailable('The run of the assignment cannot be reached.', 5, 'run_unreachable');
  const pokesOf = ({ workspaceId, assignmentId }: StagedAssignment) =>
    suite.workspace.database.readInWorkspace(workspaceId, async (tx) => {
      const rows = await tx('outbox').where({ run_type: 'runAssignment', action: 'poke' });
      return rows.filter(({ input }) => input.assignmentId === assignmentId).length;
    });

  it('pokes the run after a select', async () => {
    const staged = await stage();
    const before = await pokesOf(staged);

    const asked = ask(staged, async (request) => {
      await step(staged, request);
      throw unanswered;
    });

    await expect(asked).rejects.toBe(unanswered);
    expect(await staged.currentTask()).toBe('Closed');
    expect(await pokesOf(staged)).toBe(before + 1);
  });

  it('pokes the run after a cancel, and after its repetition', async () => {
    const staged = await stage();
    const before = await pokesOf(staged);
    const runs = {
      cancelAssignment: async () => {
        await cancelAssignment(staged.context, staged);
        throw unanswered;
      },
    };
    const cancel = () => requestCancel(staged.context, runs, staged.assignmentId, null);

    await expect(cancel()).rejects.toBe(unanswered);
    expect(await pokesOf(staged)).toBe(before + 1);

    await expect(cancel()).resolves.toMatchObject({ status: 'cancelled' });
    expect(await pokesOf(staged)).toBe(before + 2);
  });
});
