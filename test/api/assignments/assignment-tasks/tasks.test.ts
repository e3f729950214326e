import { beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../../db/database.js';
import type { AssignmentRuns } from '../../../../domain/assignments/assignment-runs.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { type ApiOptions, startApi } from '../../../support/api/api.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { directRuns } from '../../../support/chats/direct-runs.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, database, workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ runs: directRuns });
let workflowId: number;

beforeAll(async () => {
  ({ workflowId } = await publishDefinition(workspace, conversationTasks()));
});

const newAssignment = async (as = asMember, body = {}) =>
  (await as('POST', '/assignments', { workflowId, ...body })).body;
const select = (assignmentId: number, taskId: number, as = asMember) =>
  as('PUT', `/assignments/${assignmentId}/tasks/${taskId}/select`);

describe('access to tasks of assignments', () => {
  let one: string;
  beforeAll(async () => {
    const { id, rootTask } = await newAssignment(asAdmin);
    one = `/assignments/${id}/tasks/${rootTask.id}`;
  });

  describeAccess({ api, workspace, otherWorkspace }, ['get', 'select'], () => [
    { method: 'GET', path: one, scope: 'assignments:read', needsPermission: true, namesItem: true },
    {
      method: 'PUT',
      path: `${one}/select`,
      scope: 'assignments:write',
      needsPermission: true,
      namesItem: true,
    },
  ]);
});

describe('getting a task', () => {
  it('returns the task with the tree below it', async () => {
    const { id, rootTask } = await newAssignment();
    const closed = rootTask.children[1];

    expect((await asMember('GET', `/assignments/${id}/tasks/${closed.id}`)).body).toEqual(closed);
  });

  it('returns 404 for a task of another assignment, as selecting it does', async () => {
    const one = await newAssignment();
    const two = await newAssignment();

    expect((await asMember('GET', `/assignments/${one.id}/tasks/${two.rootTask.id}`)).status).toBe(404);
    expect((await select(one.id, two.rootTask.id)).status).toBe(404);
  });
});

/** A task two steps away whose guard holds, and a required task. */
const rooms: RevisionTask = {
  name: 'Hall',
  taskType: 'conversation',
  prompt: 'Ask where to go.',
  children: [
    {
      name: 'Near',
      taskType: 'conversation',
      prompt: 'Talk.',
      children: [{ name: 'Far', taskType: 'conclude', celGuard: 'chat.channel == "web-chat"' }],
    },
    {
      name: 'Needed',
      taskType: 'conversation',
      prompt: 'Talk.',
      required: true,
      abilities: [{ abilityType: 'handoff' }],
    },
    { name: 'Leave', taskType: 'message', autoNext: true, configuration: { text: 'Goodbye.' } },
  ],
};

describe('selecting a task without assignments:write', () => {
  let roomsId: number;
  beforeAll(async () => {
    roomsId = (await publishDefinition(workspace, rooms)).workflowId;
  });
  const begin = async (as = asMember) => {
    const { id, rootTask } = await newAssignment(as, { workflowId: roomsId });
    const [near, needed, leave] = rootTask.children;
    const far = near.children[0].id;
    return { id, hall: rootTask.id, near: near.id, far, needed: needed.id, leave: leave.id };
  };
  const taskOf = async (id: number) => (await asMember('GET', `/assignments/${id}`)).body.taskName;

  it('enters a task that the current task offers', async () => {
    const { id, near, far } = await begin();

    expect((await select(id, near)).status).toBe(200);
    expect((await select(id, far)).status).toBe(200);

    expect((await asMember('GET', `/assignments/${id}`)).body.status).toBe('completed');
  });

  it('rejects a task further away although its guard holds, and lists the offered tasks', async () => {
    const { id, far } = await begin();

    const answer = await select(id, far);

    expect(answer).toMatchObject({ status: 400, body: { code: 'task_not_allowed' } });
    expect(answer.body.detail).toBe(
      'The task "Far" is not among those that the current task offers: "Near", "Needed", "Leave". Any other needs the permission assignments:write.',
    );
    expect(await taskOf(id)).toBe('Hall');
  });

  it('rejects the previous task and the siblings of the current task', async () => {
    const { id, hall, near, needed } = await begin();
    await select(id, near);

    for (const task of [hall, near, needed]) {
      const answer = await select(id, task);
      expect(answer).toMatchObject({ status: 400, body: { code: 'task_not_allowed' } });
      expect(answer.body.detail).toContain('offers: "Far".');
    }
    expect(await taskOf(id)).toBe('Near');
  });

  it('enters a skipped required task once no other task is left', async () => {
    const { id, hall, leave, needed } = await begin();
    await select(id, leave);
    expect(await taskOf(id)).toBe('Leave');

    expect((await select(id, hall)).body.detail).toContain('offers: "Needed".');
    expect((await select(id, needed)).status).toBe(200);

    expect(await taskOf(id)).toBe('Needed');
    expect((await select(id, leave)).body.detail).toContain('offers: none.');
  });

  it.each(['another', 'itself'])('does not restrict a colleague acting for %s', async (whom) => {
    const colleague = await addMember(workspace, { permissions: ['assignments:write'] });
    const asColleague = as(colleague);
    const { id, far } = await begin(whom === 'itself' ? asColleague : asMember);

    expect((await select(id, far, asColleague)).status).toBe(200);
  });
});

describe('selecting a task', () => {
  it('makes the task the current one', async () => {
    const { memberId } = workspace.member;
    const { id, rootTask } = await newAssignment(asAdmin, { memberId, isTest: true });
    const closed = rootTask.children[1];

    const answer = await select(id, closed.id);

    expect(answer).toMatchObject({
      status: 200,
      body: { id: closed.id, taskName: 'Closed', visitedAt: expect.any(String) },
    });
    expect((await asMember('GET', `/assignments/${id}`)).body).toMatchObject({
      taskName: 'Closed',
      currentTask: { id: closed.id },
    });
  });

  it('answers the task that is current then, where the assignment has gone on by itself', async () => {
    const abilities = [{ abilityType: 'conclude' }];
    const talk: RevisionTask = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', abilities };
    const fork: RevisionTask = { name: 'Fork', taskType: 'decision', children: [talk] };
    const hall: RevisionTask = { name: 'Hall', taskType: 'conversation', prompt: 'Ask.', children: [fork] };
    const { id, rootTask } = await newAssignment(asMember, {
      workflowId: (await publishDefinition(workspace, hall)).workflowId,
    });

    const answer = await select(id, rootTask.children[0].id);

    const { currentTask } = (await asMember('GET', `/assignments/${id}`)).body;
    expect(answer).toMatchObject({ status: 200, body: { taskName: 'Talk' } });
    expect(answer.body).toEqual(currentTask);
  });

  type Task = { id: number; children: Task[] };
  const guard = 'The guard of the task "Closed" does not hold: assignment.is_test';
  it.each<[string, typeof asMember, (root: Task) => Task | undefined, string]>([
    ['by the member whose guard does not hold', asMember, (root) => root.children[1], guard],
    ['by a colleague whose guard does not hold', asAdmin, (root) => root.children[1], guard],
    ['below one whose guard does not hold', asMember, (root) => root.children[1]?.children[0], guard],
    [
      'whose condition as a child does not hold',
      asMember,
      (root) => root.children[2],
      'member.name == "Nobody"',
    ],
  ])('rejects a task %s', async (_what, by, taskIn, named) => {
    const { id, rootTask } = await newAssignment();

    const answer = await select(id, taskIn(rootTask)?.id ?? 0, by);

    expect(answer).toMatchObject({ status: 400, body: { code: 'task_not_allowed' } });
    expect(answer.body.detail).toContain(named);
    expect((await asMember('GET', `/assignments/${id}`)).body.taskName).toBe('Ask');
  });

  it('returns 409 for an assignment that is not active', async () => {
    const { id, rootTask } = await newAssignment();
    await select(id, rootTask.children[0].id);

    expect(await select(id, rootTask.id)).toMatchObject({
      status: 409,
      body: { code: 'assignment_not_active' },
    });
  });

  it.each<[number, string, ApiOptions['runs']]>([
    [409, 'the assignment ends during the request', { selectTask: async () => ({ kind: 'not_active' }) }],
    [503, 'the run answers too late', { selectTask: async () => ({ kind: 'expired' }) }],
    [503, 'the run cannot be reached', undefined],
  ])('returns %d when %s', async (status, _what, runs) => {
    const { id, rootTask } = await newAssignment();
    const other = await startApi(workspace.database, runs && { runs });

    const answer = await select(id, rootTask.children[0].id, callAs(other, workspace, workspace.member));

    await other.close();
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body.code).toBe('assignment_not_active');
    if (runs === undefined) expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});

describe('a committed select while the workspace has no database connection left', () => {
  it('returns 500, not 429, so that the caller does not take the select for undone', async () => {
    const limits = { connectMs: 1_000 };
    const shared = new Database({ url: database.appUrl, poolSize: 2, share: 0.5, limits });
    let end: (() => void) | undefined;
    const held = new Promise<void>((ended) => {
      end = ended;
    });
    const fill = () =>
      new Promise<void>((filled) => {
        void shared.inWorkspace(workspace.workspaceId, async () => {
          filled();
          await held;
        });
      });
    const runs = directRuns(workspace.database);
    const selectTask: AssignmentRuns['selectTask'] = async (run, request) => {
      const answer = await runs.selectTask(run, request);
      await fill();
      return answer;
    };
    const busy = await startApi(shared, { runs: { ...runs, selectTask } });
    const { id, rootTask } = await newAssignment();
    const path = `/assignments/${id}/tasks/${rootTask.children[0].id}/select`;

    const answer = await callAs(busy, workspace, workspace.admin)('PUT', path);
    end?.();

    expect(answer).toMatchObject({ status: 500, body: { code: 'database_unavailable' } });
    expect((await asMember('GET', `/assignments/${id}`)).body.currentTask).toMatchObject({
      id: rootTask.children[0].id,
    });
    await busy.close();
    await shared.close();
  });
});
