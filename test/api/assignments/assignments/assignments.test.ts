import { beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { startApi } from '../../../support/api/api.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { directRuns } from '../../../support/chats/direct-runs.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
  publishTwice,
} from '../../../support/workspace/definitions.js';
import {
  addMember,
  createWorkspace,
  randomTag,
  type TestWorkspace,
} from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ runs: directRuns });
let workflowId: number;
let revisionId: number;

beforeAll(async () => {
  ({ workflowId, revisionId } = await publishDefinition(workspace, conversationTasks()));
});

const unknownId = 987_654_321;
const anyIds = { id: expect.any(Number), uuid: expect.any(String) };
const newAssignment = async (as = asMember, body = {}) =>
  (await as('POST', '/assignments', { workflowId, ...body })).body;
const cancel = (id: number, body = {}, as = asMember) => as('POST', `/assignments/${id}/cancel`, body);

const notActive = { status: 409, body: { code: 'assignment_not_active' } };

function expectForbidden(answer: Awaited<ReturnType<typeof asAdmin>>): void {
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(answer.body.detail).toContain('assignments:write');
}

function expectRefused({ status, body }: Awaited<ReturnType<typeof asAdmin>>, pointers: string[]): void {
  expect(status).toBe(400);
  expect(pointersOf(body)).toEqual(pointers);
}

const newDataType = () =>
  createDataType(workspace.context(), {
    name: 'Intake',
    slug: `intake_${randomTag()}`,
    isCollection: false,
    fields: [{ slug: 'town', name: 'Town', fieldType: 'text' }],
  });

describe('access to assignments', () => {
  let id: number;
  beforeAll(async () => {
    id = (await newAssignment(asAdmin)).id;
  });

  describeAccess(
    { api, workspace, otherWorkspace },
    ['list', 'create', 'get', 'update', 'cancel', 'cel-context', 'current-task-detail'],
    () => {
      const one = `/assignments/${id}`;
      const create = { workflowId, memberId: workspace.admin.memberId };
      const read = {
        method: 'GET',
        scope: 'assignments:read',
        needsPermission: true,
        namesItem: true,
      } as const;
      const write = { scope: 'assignments:write', needsPermission: true, namesItem: true } as const;
      return [
        {
          method: 'GET',
          path: '/assignments',
          scope: 'assignments:read',
          needsPermission: false,
          namesItem: false,
        },
        { ...write, method: 'POST', path: '/assignments', body: create, namesItem: false },
        { ...read, path: one },
        { ...write, method: 'PUT', path: one, body: { isTest: true } },
        { ...write, method: 'POST', path: `${one}/cancel`, body: {} },
        { ...read, path: `${one}/cel-context` },
        { ...read, path: `${one}/current-task-detail` },
      ];
    },
  );
});

describe('creating an assignment', () => {
  it('assigns the active revision to the caller and returns every field', async () => {
    const answer = await asMember('POST', '/assignments', { workflowId });

    const task = (name: string, visited: boolean, children: object[] = []) => ({
      ...anyIds,
      required: false,
      autoNext: name === 'Later',
      taskId: expect.any(Number),
      workflowId,
      taskName: name,
      taskUuid: expect.any(String),
      visitedAt: visited ? expect.any(String) : null,
      children,
    });
    const root = task('Ask', true, [
      task('Good', false),
      task('Closed', false, [task('Inner', false)]),
      task('Later', false),
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...anyIds,
      memberId: workspace.member.memberId,
      memberName: expect.any(String),
      chatId: expect.any(Number),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      isTest: false,
      files: [],
      pages: [],
      workflowId,
      taskId: expect.any(Number),
      taskName: 'Ask',
      status: 'active',
      rootTask: root,
      currentTask: root,
      dataRecords: [],
      workflowName: expect.any(String),
      workflowUuid: expect.any(String),
      workflowRevisionId: revisionId,
      workflowRevisionUuid: expect.any(String),
      workflowRevisionNumber: 1,
      workflowRevisionName: 'Revision 1',
    });
    expect((await asMember('GET', `/assignments/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('accepts a published revision and the test flag', async () => {
    const { workflowId, oldRevisionId } = await publishTwice(workspace, conversationTasks());

    const body = { workflowRevisionId: oldRevisionId, isTest: true };
    const answer = await asAdmin('POST', '/assignments', { workflowId, ...body });

    expect(answer).toMatchObject({ status: 201, body });
  });

  it('allows tests and old revisions with assignments:write only', async () => {
    const published = await publishTwice(workspace, conversationTasks());
    const { workflowId, oldRevisionId, activeRevisionId } = published;
    const create = (body: object, as = asMember) => as('POST', '/assignments', { workflowId, ...body });

    const others = [oldRevisionId, unknownId].map((workflowRevisionId) => ({ workflowRevisionId }));
    for (const body of [{ isTest: true }, ...others]) expectForbidden(await create(body));
    const allowed = { isTest: false, workflowRevisionId: activeRevisionId };
    expect(await create(allowed)).toMatchObject({ status: 201, body: allowed });
    const colleague = await addMember(workspace, { permissions: ['assignments:write'] });
    const own = { isTest: true, workflowRevisionId: oldRevisionId };
    expect((await create(own, as(colleague))).status).toBe(201);
  });

  it('chooses SMS if the workflow has a number and the member accepts SMS', async () => {
    const { id: defaultPhoneNumberId } = await addPhoneNumber(workspace);
    const bySms = await publishDefinition(workspace, conversationTasks(), { defaultPhoneNumberId });
    const muted = await addMember(workspace, { role: workspace.roles.member, values: { notifySms: false } });
    const channelFor = async (memberId: number) => {
      const { id } = await newAssignment(asAdmin, { workflowId: bySms.workflowId, memberId });
      const { items } = (await asAdmin('GET', '/chats', undefined, { memberId, sortBy: 'createdAt' })).body;
      return items.find((chat: { assignmentId: number }) => chat.assignmentId === id).channel;
    };

    expect(await channelFor(workspace.member.memberId)).toBe('phone-sms');
    expect(await channelFor(muted.memberId)).toBe('web-chat');
  });

  it.each([
    ['no workflow', { workflowId: undefined }, '/workflowId'],
    ['an unknown field', { status: 'completed' }, '/status'],
    ['a flag that is none', { isTest: 'yes' }, '/isTest'],
    ['a revision that does not exist', { workflowRevisionId: unknownId }, '/workflowRevisionId'],
  ])('refuses %s', async (_what, body, pointer) => {
    expectRefused(await asAdmin('POST', '/assignments', { workflowId, ...body }), [pointer]);
  });

  it.each([{ workflowId: unknownId }, { memberId: unknownId }])('returns 404 for %o', async (body) => {
    expect((await asAdmin('POST', '/assignments', { workflowId, ...body })).status).toBe(404);
  });

  it('refuses a workflow that the role may not use', async () => {
    const roleIds = [workspace.roles.admin.id];
    const forAdmins = await publishDefinition(workspace, conversationTasks(), { roleIds });

    const answer = await asMember('POST', '/assignments', { workflowId: forAdmins.workflowId });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('listing assignments', () => {
  let place: TestWorkspace;
  let as: ReturnType<typeof callAs>;
  let asPlain: ReturnType<typeof callAs>;
  let own: { id: number; taskId: number; workflowId: number };
  let others: { id: number };
  let plain: { id: number };
  beforeAll(async () => {
    place = await createWorkspace(workspace.database);
    as = callAs(api, place, place.admin);
    asPlain = callAs(api, place, place.member);
    const definition = await publishDefinition(place, conversationTasks());
    const another = await publishDefinition(place, conversationTasks());
    const create = async (by: typeof as, of: number) =>
      (await by('POST', '/assignments', { workflowId: of })).body;
    own = await create(as, definition.workflowId);
    others = await create(as, another.workflowId);
    plain = await create(asPlain, another.workflowId);
    await as('PUT', `/assignments/${others.id}`, { status: 'completed', outcome: 'done' });
  });
  const ids = async (query: Record<string, string | number>, by = as) =>
    (await by('GET', '/assignments', undefined, query)).body.items.map(({ id }: { id: number }) => id);

  it('returns the caller’s own assignments only without the read permission', async () => {
    expect(await ids({}, asPlain)).toEqual([plain.id]);
    expect(await ids({ mine: 'false' }, asPlain)).toEqual([plain.id]);
    expect(await ids({})).toEqual([plain.id, others.id, own.id]);
    expect(await ids({ mine: 'true' })).toEqual([others.id, own.id]);
  });

  it('filters by member, status and current task', async () => {
    expect(await ids({ memberId: place.member.memberId })).toEqual([plain.id]);
    expect(await ids({ status: 'completed' })).toEqual([others.id]);
    expect(await ids({ taskId: own.taskId })).toEqual([own.id]);
  });

  it('filters by whether nothing can move them, for colleagues', async () => {
    await place.within((tx) =>
      tx('chats')
        .whereIn('id', tx('assignments').select('chat_id').where({ id: plain.id }))
        .update({
          standing_reason: 'no_choice_holds',
        }),
    );
    expect(await ids({ standing: 'true' })).toEqual([plain.id]);
    expect(await ids({ standing: 'false' })).toEqual([own.id]);
    expect((await asPlain('GET', '/assignments', undefined, { standing: 'true' })).status).toBe(403);
    const { body } = await as('GET', `/assignments/${plain.id}`);
    expect(body.waits).toEqual({
      taskType: 'conversation',
      since: body.currentTask.visitedAt,
      standingReason: 'no_choice_holds',
      paused: false,
      archived: false,
    });
    expect((await asPlain('GET', `/assignments/${plain.id}`)).body).not.toHaveProperty('waits');
  });

  it('filters by workflow, chat, test flag and creation time', async () => {
    expect(await ids({ workflowId: own.workflowId })).toEqual([own.id]);
    const { items } = (await as('GET', '/chats', undefined, { assignmentId: own.id })).body;
    expect(await ids({ chatId: items[0].id })).toEqual([own.id]);
    expect(await ids({ isTest: 'true' })).toEqual([]);
    expect(await ids({ createdBefore: '2000-01-01T00:00:00Z' })).toEqual([]);
    expect(await ids({ createdFrom: '2000-01-01T00:00:00Z' })).toEqual([plain.id, others.id, own.id]);
  });

  it('refuses an unknown filter', async () => {
    expectRefused(await as('GET', '/assignments', undefined, { workflow: 1 }), ['/workflow']);
  });

  it('sorts with nulls last, and paginates', async () => {
    expect(await ids({ sortBy: 'concludedAt' })).toEqual([others.id, plain.id, own.id]);
    expect(await ids({ sortBy: 'createdAt', sortOrder: 'asc', pageSize: 1, page: 2 })).toEqual([others.id]);
    expect((await as('GET', '/assignments', undefined, { pageSize: 2 })).body).toMatchObject({
      total: 3,
      totalPages: 2,
    });
  });

  it('returns 403 for a filter by another member without the permission', async () => {
    const answer = await asPlain('GET', '/assignments', undefined, { memberId: place.admin.memberId });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await ids({ memberId: place.member.memberId }, asPlain)).toEqual([plain.id]);
  });

  it('refuses mine=true together with another member', async () => {
    const query = { mine: 'true', memberId: place.member.memberId };

    expectRefused(await as('GET', '/assignments', undefined, query), ['/memberId']);
  });

  it.each(['page', 'pageSize', 'sortBy', 'sortOrder', 'mine', 'taskId', 'memberId', 'status'])(
    'refuses an invalid %s',
    async (name) => {
      expectRefused(await as('GET', '/assignments', undefined, { [name]: 'nonsense' }), [`/${name}`]);
    },
  );
});

it('returns the data records that were written for the tasks of the assignment', async () => {
  const dataType = await newDataType();
  const assignment = await newAssignment();
  const record = await asMember('POST', `/data-types/${dataType.id}/records`, {
    fieldValues: { town: 'Springfield' },
    assignmentTaskId: assignment.rootTask.id,
  });

  const { dataRecords } = (await asMember('GET', `/assignments/${assignment.id}`)).body;

  const { operation: _, ...stored } = record.body;
  expect(dataRecords).toEqual([stored]);
});

it('omits the member’s data records for callers that may only read assignments', async () => {
  const dataType = await newDataType();
  const definition = await publishDefinition(workspace, {
    name: 'Ask',
    taskType: 'conversation',
    prompt: `Ask whether {{ member.form_data["${dataType.slug}"].town }} is right.`,
    children: [{ name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } }],
  });
  const { id, rootTask } = await newAssignment(asMember, { workflowId: definition.workflowId });
  const record = await asMember('POST', `/data-types/${dataType.id}/records`, {
    fieldValues: { town: 'Springfield' },
    assignmentTaskId: rootTask.id,
  });
  const looker = await addMember(workspace, { permissions: ['assignments:read'] });
  const reader = await addMember(workspace, { permissions: ['assignments:read', 'data:read'] });

  const seenBy = async (as: typeof asMember) => {
    const one = (await as('GET', `/assignments/${id}`)).body;
    const { items } = (await as('GET', '/assignments', undefined, { memberId: one.memberId })).body;
    const listed = items.find((item: { id: number }) => item.id === id);
    const { renderedPrompt } = (await as('GET', `/assignments/${id}/current-task-detail`)).body;
    return [one.dataRecords.length, listed.dataRecords.length, renderedPrompt];
  };

  expect(await seenBy(as(looker))).toEqual([0, 0, 'Ask whether  is right.']);
  const everything = [1, 1, 'Ask whether Springfield is right.'];
  expect(await seenBy(as(reader))).toEqual(everything);
  expect(await seenBy(asMember)).toEqual(everything);

  await asAdmin('PUT', `/data-types/${dataType.id}/records/${record.body.id}`, {
    fieldValues: {},
    accessMode: 2,
  });
  expect(await seenBy(as(reader))).toEqual(everything);
  expect(await seenBy(asMember)).toEqual([0, 0, 'Ask whether  is right.']);
});

it('refuses an assistant as the member of an assignment', async () => {
  const { memberId } = await createAssistant(workspace.context(), { name: 'Helper', instructions: '' });

  expectRefused(await asAdmin('POST', '/assignments', { workflowId, memberId }), ['/memberId']);
});

describe('changing an assignment', () => {
  const update = (id: number, body: object, as = asAdmin) => as('PUT', `/assignments/${id}`, body);

  it('sets the outcome and leaves the assignment active', async () => {
    const { id } = await newAssignment();

    const changes = { outcome: 'reached', outcomeReason: 'by phone', isTest: true };
    expect(await update(id, changes)).toMatchObject({ status: 200, body: { ...changes, status: 'active' } });
    expect((await update(id, { outcome: null })).body).not.toHaveProperty('outcome');
  });

  it.each(['completed', 'failed'])('concludes the assignment as %s, once', async (status) => {
    const { id } = await newAssignment();

    const body = { status, outcome: 'by hand', concludedAt: expect.any(String) };
    expect(await update(id, { status, outcome: 'by hand' })).toMatchObject({ status: 200, body });
    expect(await update(id, { status })).toMatchObject(notActive);
  });

  it('rejects a change of the test flag, status or outcome by the member', async () => {
    const { id } = await newAssignment();

    const words = [{ status: 'completed' }, { outcome: 'won' }, { outcomeReason: 'luck' }];
    for (const body of [{ isTest: true }, { isTest: false }, ...words]) {
      expectForbidden(await update(id, body, asMember));
    }
    const { body } = await asMember('GET', `/assignments/${id}`);
    expect(body).toMatchObject({ status: 'active', isTest: false });
  });

  it.each([{ status: 'cancelled' }, { outcome: '' }, { memberId: 1 }])('refuses %o', async (body) => {
    const { id } = await newAssignment();

    expectRefused(await update(id, body), [`/${Object.keys(body)[0]}`]);
  });

  it('returns 404 for an unknown assignment', async () => {
    expect((await update(unknownId, { isTest: true })).status).toBe(404);
  });
});

describe('cancelling an assignment', () => {
  it('stores the reason and the time, and changes nothing the second time', async () => {
    const { id } = await newAssignment();

    const answer = await cancel(id, { reason: 'Changed my mind' });

    const ended = { status: 'cancelled', concludedAt: expect.any(String) };
    expect(answer).toMatchObject({ status: 200, body: { ...ended, outcomeReason: 'Changed my mind' } });
    expect(await cancel(id, { reason: 'Again' })).toMatchObject({ status: 200, body: answer.body });
  });

  it('accepts a request without a body', async () => {
    const { id } = await newAssignment();

    const answer = await asMember('POST', `/assignments/${id}/cancel`);

    expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  });

  it('returns 409 for an assignment that is concluded otherwise', async () => {
    const { id } = await newAssignment();
    await asAdmin('PUT', `/assignments/${id}`, { status: 'failed' });

    expect(await cancel(id)).toMatchObject(notActive);
  });

  it('returns 409 from the stored status when the run ends during the request', async () => {
    const { id } = await newAssignment();
    const meanwhile = await startApi(workspace.database, {
      runs: {
        cancelAssignment: async () => {
          await asAdmin('PUT', `/assignments/${id}`, { status: 'completed' });
        },
      },
    });

    const answer = await cancel(id, {}, callAs(meanwhile, workspace, workspace.member));

    await meanwhile.close();
    expect(answer).toMatchObject(notActive);
  });

  it.each([
    ['cannot be reached', undefined],
    ['is closed under it', async () => {}],
  ])('returns 503 and changes nothing when the run %s', async (_what, cancelAssignment) => {
    const { id } = await newAssignment();
    const cut = await startApi(workspace.database, { runs: cancelAssignment ? { cancelAssignment } : {} });

    const answer = await cancel(id, {}, callAs(cut, workspace, workspace.member));

    await cut.close();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect((await asMember('GET', `/assignments/${id}`)).body.status).toBe('active');
  });

  it.each([{ reason: 7 }, { why: 'so' }])('refuses %o', async (body) => {
    const { id } = await newAssignment();

    expectRefused(await cancel(id, body), [`/${Object.keys(body)[0]}`]);
  });
});

it('returns the condition context without the member’s data records', async () => {
  await newDataType();
  const { id } = await newAssignment();

  const answer = await asMember('GET', `/assignments/${id}/cel-context`);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    member: {
      id: workspace.member.memberId,
      name: workspace.member.row.name,
      locale: null,
      labels: [],
      form_data: {},
      data: {},
    },
    assignment: {
      id,
      status: 'active',
      outcome: null,
      is_test: false,
      created_at: expect.stringMatching(/Z$/),
    },
    chat: { id: expect.any(Number), channel: 'web-chat', paused: false, message_count: 0 },
    tasks: { visited: ['Ask'], completed: [], timed_out: [], current: 'Ask' },
    call: { direction: null, status: null, outcome: null, attempts: 0 },
    now: expect.stringMatching(/Z$/),
  });
});

describe('the detail of the current task', () => {
  it('returns all fields of the root task', async () => {
    const { id, rootTask } = await newAssignment();

    const answer = await asMember('GET', `/assignments/${id}/current-task-detail`);

    const child = (order: number) => {
      const { id: assignmentTaskId, taskId, taskUuid, taskName } = rootTask.children[order];
      return { assignmentTaskId, taskId, taskUuid, taskName, autoNext: order === 2, required: false, order };
    };
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      assignmentId: id,
      assignmentTaskId: rootTask.id,
      taskId: rootTask.taskId,
      taskName: 'Ask',
      taskType: 'conversation',
      prompt: 'Ask {{ member.name }} how it went.',
      renderedPrompt: `Ask ${workspace.member.row.name} how it went.`,
      shortPrompt: 'How it went',
      description: 'The first question',
      state: 'the agent answers',
      configuration: {},
      abilities: [{ ...anyIds, abilityType: 'handoff', config: {}, enabled: true }],
      inheritedAbilities: [],
      childTasks: [
        { ...child(0), taskType: 'conclude', choicePrompt: 'It went well' },
        {
          ...child(1),
          taskType: 'conversation',
          celGuard: 'assignment.is_test',
          notOffered: { rule: 'cel_guard', taskName: 'Closed' },
        },
        {
          ...child(2),
          taskType: 'wait',
          celCondition: 'member.name == "Nobody"',
          notOffered: { rule: 'cel_condition', taskName: child(2).taskName },
        },
      ],
    });
  });

  it('says what a wait waits for, until when', async () => {
    const { workflowId } = await publishDefinition(workspace, {
      name: 'Pause',
      taskType: 'wait',
      configuration: { condition: 'assignment.is_test', atMost: 'P1D' },
      autoNext: true,
    });
    const { body } = await asAdmin('POST', '/assignments', {
      workflowId,
      memberId: workspace.member.memberId,
    });

    const detail = (await asAdmin('GET', `/assignments/${body.id}/current-task-detail`)).body;

    expect(detail).toMatchObject({
      taskName: 'Pause',
      state: 'waits for its condition to hold, or for the time to come',
    });
    expect(Date.parse(detail.dueAt)).toBeGreaterThan(Date.now() + 86_000_000);
  });

  it('returns the parent task and the inherited abilities', async () => {
    const { memberId } = workspace.member;
    const { id, rootTask } = await newAssignment(asAdmin, { memberId, isTest: true });
    const closed = rootTask.children[1];
    await asMember('PUT', `/assignments/${id}/tasks/${closed.id}/select`);

    const answer = await asMember('GET', `/assignments/${id}/current-task-detail`);

    expect(answer.body).toMatchObject({
      taskName: 'Closed',
      celGuard: 'assignment.is_test',
      abilities: [{ abilityType: 'conclude' }],
      inheritedAbilities: [{ abilityType: 'handoff' }],
      childTasks: [{ taskName: 'Inner' }],
      parentAssignmentTaskId: rootTask.id,
      parentTaskName: 'Ask',
      parentShortPrompt: 'How it went',
    });
  });
});

describe('the run and the name of the member', () => {
  it('are shown to those who may see them', async () => {
    const { id, uuid } = await newAssignment();
    const colleague = as(await addMember(workspace, { permissions: ['assignments:read'] }));

    const { body } = await asAdmin('GET', `/assignments/${id}`);
    const path = `namespaces/default/workflows/assignment-${uuid}`;
    expect(body).toMatchObject({
      memberName: expect.any(String),
      runUrl: `https://temporal-ui.example/${path}`,
    });
    const seen = (await colleague('GET', `/assignments/${id}`)).body;
    expect([seen.memberName, seen.runUrl, seen.chatId]).toEqual([undefined, undefined, body.chatId]);
  });
});

describe('counting the assignments of a workflow', () => {
  const countsOf = (id: number, by = asAdmin) => by('GET', `/workflows/${id}/assignments/counts`);

  it('tells in which tasks they are and which they have entered, by revision', async () => {
    const of = await publishDefinition(workspace, conversationTasks());
    const create = async () => (await asAdmin('POST', '/assignments', { workflowId: of.workflowId })).body;
    const [one] = [await create(), await create()];
    await asAdmin('PUT', `/assignments/${one.id}`, { status: 'completed' });

    const { body } = await countsOf(of.workflowId);

    const root = { taskId: one.taskId, taskUuid: one.rootTask.taskUuid, taskName: 'Ask' };
    expect(body).toEqual({
      active: 1,
      activeIsExact: true,
      newest: 2,
      tasks: [{ revisionId: of.revisionId, revisionNumber: 1, ...root, current: 1, visited: 2 }],
    });
  });

  it('needs the permission, and a workflow', async () => {
    expect((await countsOf(workflowId, asMember)).status).toBe(403);
    expect((await countsOf(unknownId)).status).toBe(404);
  });
});

describe('counting what became of assignments', () => {
  const outcomes = async (query: string) =>
    (await asAdmin('GET', `/assignments/stats/outcomes?${query}`)).body;
  const counts = { total: 0, active: 0, completed: 0, cancelled: 0, failed: 0 };

  it('tells it by workflow and by the task in which they are or ended', async () => {
    const of = await publishDefinition(workspace, conversationTasks());
    const create = async () => (await asAdmin('POST', '/assignments', { workflowId: of.workflowId })).body;
    const [one, , gone] = [await create(), await create(), await create()];
    await asAdmin('PUT', `/assignments/${one.id}`, { status: 'completed' });
    await asAdmin('PUT', `/assignments/${gone.id}`, { status: 'failed' });
    const { workflowName } = one;

    const all = { ...counts, total: 3, active: 1, completed: 1, failed: 1 };
    const byWorkflow = await outcomes(`workflowId=${of.workflowId}`);
    expect(byWorkflow).toMatchObject(all);
    expect(byWorkflow.items).toEqual([{ workflowId: of.workflowId, workflowName, ...all }]);

    const byTask = await outcomes(`workflowId=${of.workflowId}&groupBy=task`);
    expect(byTask).toMatchObject(all);
    const task = { taskId: one.taskId, taskName: 'Ask', revisionId: of.revisionId, revisionNumber: 1 };
    expect(byTask.items).toEqual([{ workflowId: of.workflowId, workflowName, ...task, ...all }]);
  });

  it('puts the largest workflows first, and can leave out tests and other days', async () => {
    const [small, large] = [
      await publishDefinition(workspace, conversationTasks()),
      await publishDefinition(workspace, conversationTasks()),
    ];
    const create = (id: number, isTest = false) =>
      asAdmin('POST', '/assignments', { workflowId: id, memberId: workspace.member.memberId, isTest });
    for (const id of [small.workflowId, large.workflowId, large.workflowId]) await create(id);
    await create(small.workflowId, true);
    const totalOf = async (id: number, query: string) => (await outcomes(`workflowId=${id}&${query}`)).total;

    const { items } = await outcomes('isTest=false');
    const at = (id: number) => items.findIndex((item: { workflowId: number }) => item.workflowId === id);
    expect(at(large.workflowId)).toBeLessThan(at(small.workflowId));
    expect(await totalOf(small.workflowId, '')).toBe(2);
    expect(await totalOf(small.workflowId, 'isTest=false')).toBe(1);
    expect(await outcomes('from=2001-01-01&to=2001-01-31')).toEqual({
      timezone: 'UTC',
      ...counts,
      items: [],
    });
  });
});
