import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addApiKey, addMember, addMemberRow, uniquePhone } from '../../../support/workspace/factories.js';

const suite = useApi({ storesEvents: true });
const { asAdmin } = suite;
const add = (values = {}) =>
  addMemberRow(suite.workspace, { memberRoleId: suite.workspace.roles.member.id, ...values });
const erase = (id: number, confirm = String(id)) => asAdmin('POST', `/members/${id}/erase`, { confirm });

describe('POST members/{member_id}/erase', () => {
  it('deletes the member at once, and answers with the erasure and what it keeps', async () => {
    const { id, uuid } = await add({ name: 'Ada Sample' });

    const { status, body } = await erase(id);

    expect({ status, body }).toMatchObject({
      status: 202,
      body: {
        memberId: id,
        state: 'erasing',
        requestedByMemberId: suite.workspace.admin.memberId,
        erasedAt: null,
      },
    });
    expect(body.kept).toContainEqual({ store: 'public.token_usage', what: expect.any(String) });
    expect((await asAdmin('GET', `/members/${id}`)).status).toBe(404);
    expect((await asAdmin('GET', `/members/${id}/erase`)).body).toEqual(body);
    const { body: events } = await asAdmin('GET', '/events', undefined, { eventType: 'member:erased' });
    expect(events.items[0].payload).toMatchObject({ event: 'member:erased', member: { id, uuid } });
    expect(Object.keys(events.items[0].payload.member)).toEqual(['id', 'uuid']);
  });

  it('starts one run, also when it is repeated', async () => {
    const { id } = await add();
    const first = await erase(id);
    expect((await erase(id)).body).toEqual(first.body);

    const rows = await suite.workspace.within((tx) =>
      tx('outbox').where({ subject: first.body.uuid }).select('run_type', 'action'),
    );
    expect(rows).toEqual([{ run_type: 'erasePersonData', action: 'poke' }]);
  });

  it.each(['externalId', 'email', 'phone'] as const)('takes the %s as the confirmation', async (field) => {
    const values = { externalId: `patient ${field}`, email: `${field}@example.com`, phone: uniquePhone() };
    const { id } = await add(values);
    expect((await erase(id, values[field])).status).toBe(202);
  });

  it('refuses a confirmation that names another member', async () => {
    const [one, other] = [await add(), await add()];

    expect(await erase(one.id, String(other.id))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/confirm' }] },
    });
    expect((await asAdmin('GET', `/members/${one.id}`)).status).toBe(200);
  });

  it('refuses a body without confirmation', async () => {
    const { id } = await add();
    expect((await asAdmin('POST', `/members/${id}/erase`, {})).status).toBe(400);
  });

  it('erases a member that was deleted before', async () => {
    const { id } = await add();
    await asAdmin('DELETE', `/members/${id}`);
    expect((await erase(id)).status).toBe(202);
  });

  it('ends the sessions and keys of the member', async () => {
    const { memberId, apiKey } = await addMember(suite.workspace, { role: suite.workspace.roles.member });
    await erase(memberId);
    const { status } = await suite.api.request('GET', suite.workspace.path('/members/me'), { apiKey });
    expect(status).toBe(404);
  });

  it("refuses the caller's own member, an assistant and the last admin", async () => {
    const { workspace } = suite;
    expect(await erase(workspace.admin.memberId)).toMatchObject({
      status: 409,
      body: { code: 'own_member' },
    });
    const assistant = await asAdmin('POST', '/assistants', { name: 'A', instructions: 'Be brief.' });
    expect(await erase(assistant.body.memberId)).toMatchObject({
      status: 409,
      body: { code: 'member_is_assistant' },
    });
    const eraser = await addMember(workspace, {
      permissions: [...workspace.roles.admin.permissions].filter((one) => one !== 'roles:write'),
    });
    const refused = await suite.as(eraser)('POST', `/members/${workspace.admin.memberId}/erase`, {
      confirm: String(workspace.admin.memberId),
    });
    expect(refused.status).toBe(403);
  });
});

describe('GET members/{member_id}/erase', () => {
  it('is not found for a member that is not erased', async () => {
    const { id } = await add();
    expect((await asAdmin('GET', `/members/${id}/erase`)).status).toBe(404);
  });
});

describe('the last admin', () => {
  it('is not erased', async () => {
    const { otherWorkspace } = suite;
    const second = await addMember(otherWorkspace, { role: otherWorkspace.roles.admin });
    const key = await addApiKey(suite.database.database, second.accountId, {});
    const call = (id: number) =>
      suite.api.request('POST', otherWorkspace.path(`/members/${id}/erase`), {
        apiKey: key,
        body: { confirm: String(id) },
      });
    await suite.database.database.inIdentity(async (tx) => {
      const support = {
        is_support: true,
        support_ends_at: new Date(Date.now() + 3_600_000),
        support_reason: 'help',
      };
      await tx('identity.memberships').where({ member_id: second.memberId }).update(support);
      await tx('identity.accounts').where({ id: second.accountId }).update({ is_superuser: true });
    });
    expect(await call(otherWorkspace.admin.memberId)).toMatchObject({
      status: 409,
      body: { code: 'last_admin' },
    });
  });
});

describeAccess(suite, ['eraseMember', 'getErasure'], () => [
  {
    method: 'POST',
    path: `/members/${suite.workspace.member.memberId}/erase`,
    scope: 'person_data:erase',
    needsPermission: true,
    body: { confirm: String(suite.workspace.member.memberId) },
    namesItem: true,
  },
  {
    method: 'GET',
    path: `/members/${suite.workspace.member.memberId}/erase`,
    scope: 'person_data:erase',
    needsPermission: true,
    namesItem: true,
  },
]);
