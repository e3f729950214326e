import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const newDefinition = (name = 'Intake') => createWorkflowDefinition(workspace.context(), { name });
const newAssistant = (owner = workspace) =>
  createAssistant(owner.context(), { name: 'Guide', instructions: 'Be brief.' });

describe('creating a workflow', () => {
  it('requires only a name', async () => {
    const answer = await asAdmin('POST', '/workflows', { name: 'Intake' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: 'Intake',
      description: null,
      activeRevisionId: null,
      activeRevisionNumber: null,
      defaultPhoneNumberId: null,
      assistantMemberId: null,
      roleIds: [],
      voiceIdentity: null,
      heldAt: null,
      heldReason: null,
      canUse: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('accepts an assistant, a default phone number and the allowed roles', async () => {
    const body = {
      name: 'Check-in',
      description: 'After each visit',
      assistantMemberId: (await newAssistant()).memberId,
      defaultPhoneNumberId: (await addPhoneNumber(workspace)).id,
      roleIds: [workspace.roles.member.id],
    };

    const answer = await asAdmin('POST', '/workflows', body);

    expect(answer).toMatchObject({ status: 201, body });
  });

  it.each([
    ['a missing name', { name: undefined }, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['an unknown field', { colour: 'red' }, '/colour'],
    ['a repeated role', { roleIds: [1, 1] }, '/roleIds'],
    ['a description that is no text', { description: 7 }, '/description'],
  ])('refuses %s', async (_, body, pointer) => {
    expectRefused(await asAdmin('POST', '/workflows', { name: 'Intake', ...body }), [pointer]);
  });

  it('reports every reference to another workspace', async () => {
    expectRefused(
      await asAdmin('POST', '/workflows', {
        name: 'Intake',
        assistantMemberId: (await newAssistant(otherWorkspace)).memberId,
        defaultPhoneNumberId: (await addPhoneNumber(otherWorkspace)).id,
        roleIds: [workspace.roles.member.id, otherWorkspace.roles.member.id],
      }),
      ['/assistantMemberId', '/defaultPhoneNumberId', '/roleIds/1'],
    );
  });

  it('refuses a person as the assistant', async () => {
    const body = { name: 'Intake', assistantMemberId: workspace.member.memberId };

    expectRefused(await asAdmin('POST', '/workflows', body), ['/assistantMemberId']);
  });
});

describe('changing a workflow', () => {
  it('changes only the given fields and clears those set to null', async () => {
    const kept = { name: 'Intake', defaultPhoneNumberId: (await addPhoneNumber(workspace)).id };
    const before = { ...kept, description: 'First visit', roleIds: [workspace.roles.member.id] };
    const { body: created } = await asAdmin('POST', '/workflows', before);

    const changes = { description: null, roleIds: [workspace.roles.admin.id] };
    const answer = await asAdmin('PUT', `/workflows/${created.id}`, changes);

    expect(answer).toMatchObject({ status: 200, body: { ...kept, ...changes } });
  });

  it('says how callers prove who they are, instead of the workspace', async () => {
    const { id } = await newDefinition();
    const put = (voiceIdentity: unknown) => asAdmin('PUT', `/workflows/${id}`, { voiceIdentity });
    const given = { method: 'questions', questions: [{ memberField: 'email' }] };
    const stored = { ...given, required: 1, triesPerCall: 3, triesPerDay: 6 };
    expect((await put(given)).body.voiceIdentity).toEqual(stored);
    expect((await asAdmin('PUT', `/workflows/${id}`, { name: 'Other' })).body.voiceIdentity).toEqual(stored);
    expect(pointersOf((await put({ method: 'questions' })).body)).toEqual(['/voiceIdentity/questions']);
    expect((await put(null)).body.voiceIdentity).toBeNull();
  });

  it('tells how callers prove who they are to those who may change it', async () => {
    const { id } = await newDefinition();
    const voiceIdentity = { method: 'questions', questions: [{ memberField: 'email' }] };
    await asAdmin('PUT', `/workflows/${id}`, { voiceIdentity });
    expect((await asAdmin('GET', `/workflows/${id}`)).body).toMatchObject({ voiceIdentity });
    const one = await asMember('GET', `/workflows/${id}`);
    const list = await asMember('GET', '/workflows');
    expect([one.status, list.status]).toEqual([200, 200]);
    expect(JSON.stringify([one.body, list.body])).not.toContain('voiceIdentity');
  });

  it('reports each wrong field with a pointer', async () => {
    const { id } = await newDefinition();

    const answer = await asAdmin('PUT', `/workflows/${id}`, { name: 'x'.repeat(201), extra: true });

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body).sort()).toEqual(['/extra', '/name']);
  });
});

describe('listing workflows', () => {
  it('finds those that name an assistant', async () => {
    const { memberId } = await newAssistant();
    const { body } = await asAdmin('POST', '/workflows', { name: 'Guided', assistantMemberId: memberId });
    await newDefinition();

    const found = await asAdmin('GET', `/workflows?assistantMemberId=${memberId}`);
    expect(found.body).toMatchObject({ total: 1, items: [{ id: body.id }] });
  });
});

describe('archiving a workflow', () => {
  it('removes the workflow from the list and keeps it readable', async () => {
    const name = `Intake ${randomUUID()}`;
    const { id } = await newDefinition(name);

    expect((await asAdmin('DELETE', `/workflows/${id}`)).status).toBe(204);
    expect((await asAdmin('DELETE', `/workflows/${id}`)).status).toBe(204);

    const one = await asAdmin('GET', `/workflows/${id}`);
    expect(one).toMatchObject({ status: 200, body: { id, archived: true, canUse: false } });
    expect((await asAdmin('GET', `/workflows?search=${name}`)).body.total).toBe(0);
    expect((await asAdmin('GET', `/workflows?search=${name}&archived=true`)).body.total).toBe(1);
  });

  it('rejects later changes', async () => {
    const { id } = await newDefinition();
    await asAdmin('DELETE', `/workflows/${id}`);

    const answer = await asAdmin('PUT', `/workflows/${id}`, { name: 'Other' });

    expect(answer).toMatchObject({ status: 409, body: { code: 'workflow_archived' } });
  });
});

describe('listing workflows', () => {
  it('searches names literally, in sorted pages', async () => {
    const tag = randomUUID().slice(0, 8);
    for (const name of [`c ${tag}%`, `a ${tag}%`, `b ${tag}%`, `d ${tag}`]) await newDefinition(name);
    const query = { search: `${tag}%`.toUpperCase(), pageSize: 2, sortBy: 'name', sortOrder: 'desc' };

    const list = (page: number) => asMember('GET', '/workflows', undefined, { ...query, page });

    const first = await list(1);
    expect(first.body).toMatchObject({ total: 3, page: 1, pageSize: 2, totalPages: 2 });
    expect(namesOf(first.body)).toEqual([`c ${tag}%`, `b ${tag}%`]);
    expect(namesOf((await list(2)).body)).toEqual([`a ${tag}%`]);
  });

  it.each(['pageSize=101', 'page=0', 'sortBy=secret', 'sortOrder=up'])('refuses %s', async (query) => {
    expectRefused(await asAdmin('GET', `/workflows?${query}`), [`/${query.split('=')[0]}`]);
  });

  it('returns for each caller whether it may use the workflow', async () => {
    const outsider = await addMember(workspace);
    const { body: created } = await asAdmin('POST', '/workflows', {
      name: 'Staff only',
      roleIds: [workspace.roles.member.id],
    });
    const canUse = async (member: { apiKey: string }) =>
      (await as(member)('GET', `/workflows/${created.id}`)).body.canUse;

    expect(await canUse(workspace.member)).toBe(true);
    expect(await canUse(outsider)).toBe(false);
    expect(await canUse(workspace.admin)).toBe(true);
  });
});

it.each(['999999999', '9223372036854775808', '0'])('returns 404 for workflow %s', async (id) => {
  expect((await asAdmin('GET', `/workflows/${id}`)).status).toBe(404);
});

describe('access to workflows', () => {
  let id: number;
  beforeAll(async () => {
    id = (await newDefinition()).id;
  });
  const read = { scope: 'workflows:read', needsPermission: false } as const;
  const write = { scope: 'workflows:write', needsPermission: true } as const;

  describeAccess(
    { api, workspace, otherWorkspace },
    ['list', 'create', 'get', 'update', 'delete', 'import'],
    () => [
      { ...read, method: 'GET', path: '/workflows', namesItem: false },
      { ...write, method: 'POST', path: '/workflows', body: { name: 'x' }, namesItem: false },
      { ...read, method: 'GET', path: `/workflows/${id}`, namesItem: true },
      { ...write, method: 'PUT', path: `/workflows/${id}`, body: { name: 'x' }, namesItem: true },
      { ...write, method: 'DELETE', path: `/workflows/${id}`, namesItem: true },
      { ...write, method: 'POST', path: '/workflows/import', body: imported, namesItem: false },
    ],
  );
});

const imported = { name: 'x', rootTask: { name: 'End', taskType: 'conclude' } };

function expectRefused({ status, body }: Awaited<ReturnType<typeof asAdmin>>, pointers: string[]): void {
  expect(status).toBe(400);
  expect(pointersOf(body)).toEqual(pointers);
}

function namesOf(page: { items: { name: string }[] }): string[] {
  return page.items.map((item) => item.name);
}
