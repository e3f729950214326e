import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { addMember, addMemberRow, uniqueEmail } from '../../../support/workspace/factories.js';

const { database, workspace, as, asAdmin } = useApi();
let somebody: pg.Client;

beforeAll(async () => {
  somebody = new pg.Client({ connectionString: database.superuserUrl });
  await somebody.connect();
});
afterAll(async () => {
  await somebody.end();
});

const isWaitedFor = async () => {
  const { rows } = await somebody.query(
    'select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid',
  );
  return rows.length > 0;
};

it.each([
  [
    'the member is promoted',
    (memberId: number, _roleId: number) => ({
      text: 'update members set member_role_id = $2 where id = $1',
      values: [memberId, workspace.roles.admin.id],
    }),
  ],
  [
    'the member’s role is widened',
    (_memberId: number, roleId: number) => ({
      text: `update member_roles set permissions = '{chats:read}' where id = $1`,
      values: [roleId],
    }),
  ],
])(
  'rejects a change of a member’s email by a caller with fewer permissions when %s concurrently',
  async (_, change) => {
    const manager = await addMember(workspace, { permissions: ['members:write', 'members:read'] });
    const { row, role } = await addMember(workspace, { permissions: [] });
    await somebody.query('begin');
    await somebody.query(change(row.id, role.id));

    const updating = as(manager)('PUT', `/members/${row.id}`, { email: uniqueEmail() });
    await waitFor('the update waits', isWaitedFor);
    await somebody.query('commit');

    expect(await updating).toMatchObject({ status: 403 });
    expect((await asAdmin('GET', `/members/${row.id}`)).body.email).toBe(row.email);
  },
);

it('applies two concurrent changes to the identifiers of one member', async () => {
  const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
  const email = uniqueEmail();

  const answers = await Promise.all([
    asAdmin('PUT', `/members/${id}`, { email }),
    asAdmin('PUT', `/members/${id}`, { externalId: `crm-${id}`, labelIds: [] }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await asAdmin('GET', `/members/${id}`)).body).toMatchObject({ email, externalId: `crm-${id}` });
});
