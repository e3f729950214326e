import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { directRuns } from '../../../support/chats/direct-runs.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi({ runs: directRuns });

const newWorkflow = async () => (await publishDefinition(workspace, conversationTasks())).workflowId;
const hold = (id: number, body: unknown = {}) => asAdmin('POST', `/workflows/${id}/hold`, body);
const resume = (id: number) => asAdmin('POST', `/workflows/${id}/resume`);

describe('holding a workflow', () => {
  it('returns since when it is held and why, until it is resumed', async () => {
    const id = await newWorkflow();
    expect((await asAdmin('GET', `/workflows/${id}`)).body).toMatchObject({ heldAt: null, heldReason: null });

    const held = await hold(id, { reason: 'The text names a wrong date' });

    const shown = { heldAt: expect.any(String), heldReason: 'The text names a wrong date' };
    expect(held).toMatchObject({ status: 200, body: { id, ...shown } });
    expect((await asAdmin('GET', `/workflows/${id}`)).body).toEqual(held.body);
    expect(await resume(id)).toMatchObject({ status: 200, body: { id, heldAt: null, heldReason: null } });
  });

  it('changes the reason alone when it is repeated with another one', async () => {
    const id = await newWorkflow();
    const first = await hold(id);

    const again = await hold(id, { reason: 'Second' });

    const { heldAt } = first.body;
    expect(again).toMatchObject({ status: 200, body: { heldAt, heldReason: 'Second' } });
    expect(await hold(id)).toMatchObject({ status: 200, body: again.body });
    expect(await hold(id, { reason: 'Second' })).toMatchObject({ status: 200, body: again.body });
    const resumed = await resume(id);
    expect(await resume(id)).toMatchObject({ status: 200, body: resumed.body });
  });

  it('needs no body', async () => {
    const id = await newWorkflow();

    expect(await hold(id, undefined)).toMatchObject({ status: 200, body: { heldReason: null } });
  });

  it.each([
    ['an empty reason', { reason: '' }, '/reason'],
    ['a reason of more than 2,000 characters', { reason: 'x'.repeat(2_001) }, '/reason'],
    ['a reason that is no text', { reason: 7 }, '/reason'],
    ['an unknown field', { until: '2027-01-01' }, '/until'],
  ])('refuses %s', async (_, body, pointer) => {
    const answer = await hold(await newWorkflow(), body);

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([pointer]);
  });

  it('hides the reason from members without workflows:read', async () => {
    const id = await newWorkflow();
    await hold(id, { reason: 'For colleagues' });

    const { body } = await asMember('GET', `/workflows/${id}`);

    expect(body.heldAt).toEqual(expect.any(String));
    expect(body).not.toHaveProperty('heldReason');
  });

  it('is possible for an archived workflow, whose assignments continue', async () => {
    const id = await newWorkflow();
    await asAdmin('DELETE', `/workflows/${id}`);

    expect(await hold(id)).toMatchObject({ status: 200, body: { archived: true } });
    expect(await resume(id)).toMatchObject({ status: 200, body: { archived: true, heldAt: null } });
  });

  it('honours If-Match, and its own change of the ETag', async () => {
    const id = await newWorkflow();
    const path = workspace.path(`/workflows/${id}`);
    const { apiKey } = workspace.admin;
    const send = (method: string, place: string, tag = '') =>
      api.request(method, place, { apiKey, headers: tag === '' ? {} : { 'If-Match': tag } });
    const tag = (await send('GET', path)).headers.get('ETag') ?? '';

    const held = await send('POST', `${path}/hold`, tag);
    expect(held.status).toBe(200);
    expect(await send('POST', `${path}/resume`, tag)).toMatchObject({
      status: 412,
      body: { code: 'precondition_failed' },
    });
    expect((await send('POST', `${path}/resume`, held.headers.get('ETag') ?? '')).status).toBe(200);
  });

  it('accepts new chats and assignments, and refuses to select a task', async () => {
    const id = await newWorkflow();
    await hold(id);

    const { status, body } = await asAdmin('POST', '/assignments', { workflowId: id });
    expect(status).toBe(201);
    expect(await asAdmin('POST', '/chats', { channel: 'web-chat', workflowId: id })).toMatchObject({
      status: 201,
      body: { currentTaskName: 'Ask' },
    });
    const path = `/assignments/${body.id}`;
    expect(await asAdmin('PUT', `${path}/tasks/${body.rootTask.children[0].id}/select`)).toMatchObject({
      status: 409,
      body: { code: 'workflow_held' },
    });
    expect((await asAdmin('GET', `${path}/current-task-detail`)).body.state).toBe(
      'the workflow is held, rests until it is resumed',
    );
    expect(await asAdmin('POST', `${path}/cancel`, {})).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
  });

  it('waits for a resumption that is being committed, and holds the workflow again', async () => {
    const id = await newWorkflow();
    await hold(id, { reason: 'First' });
    const { again } = await workspace.within(async (tx) => {
      await tx('workflow_definitions').where({ id }).forNoKeyUpdate();
      await tx('workflow_definitions').where({ id }).update({ held_at: null, held_reason: null });
      const again = hold(id, { reason: 'Second' });
      await whenWaitedFor(tx);
      return { again };
    });

    expect(await again).toMatchObject({ status: 200, body: { heldReason: 'Second' } });
  });

  it('is undone by a resumption that waits for it', async () => {
    const id = await newWorkflow();
    const { resuming } = await workspace.within(async (tx) => {
      await tx('workflow_definitions').where({ id }).forNoKeyUpdate();
      await tx('workflow_definitions').where({ id }).update({ held_at: new Date() });
      const resuming = resume(id);
      await whenWaitedFor(tx);
      return { resuming };
    });

    expect(await resuming).toMatchObject({ status: 200, body: { heldAt: null } });
    const pokes = await workspace.within(async (tx) =>
      tx('outbox')
        .where({ run_type: 'wakeAssignments' })
        .whereRaw(`input ->> 'definitionId' = ?`, [`${id}`]),
    );
    expect(pokes).toHaveLength(1);
  });
});

describe('access to holds of workflows', () => {
  let id: number;
  beforeAll(async () => {
    id = await newWorkflow();
  });
  const write = { method: 'POST', scope: 'workflows:write', needsPermission: true, namesItem: true } as const;

  describeAccess({ api, workspace, otherWorkspace }, ['hold', 'resume'], () => [
    { ...write, path: `/workflows/${id}/hold`, body: { reason: 'x' } },
    { ...write, path: `/workflows/${id}/resume` },
  ]);
});
