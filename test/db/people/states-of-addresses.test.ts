import Knex from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { down, up } from '../../../db/migrations/0202-states-of-addresses.js';
import { addMemberRow, uniqueEmail, uniquePhone } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();

test('addresses that the last release took out of a row come back, unless another member has them', async () => {
  const knex = Knex({ client: 'pg', connection: database.migratorUrl, pool: { min: 0, max: 1 } });
  onTestFinished(() => knex.destroy());
  await knex.transaction((tx) => down(tx as unknown as Knex.Knex));
  const memberRoleId = workspace.roles.member.id;
  const add = (values: object) => addMemberRow(workspace, { memberRoleId, ...values });
  const [taken, free, phone, later, twice] = [
    uniqueEmail(),
    uniqueEmail(),
    uniquePhone(),
    uniquePhone(),
    uniqueEmail(),
  ];
  const bound = await add({ email: null, phone });
  const robbed = await add({ email: null });
  await add({ email: taken });
  const [older, younger] = [await add({ email: null }), await add({ email: null })];
  const note = (memberId: number, channel: string, address: string, createdAt = 'm.created_at') =>
    knex.raw(
      `insert into unproved_identifiers (workspace_id, member_id, channel, address, created_at)
       select m.workspace_id, m.id, ?, ?, ${createdAt} from members m where m.id = ?`,
      [channel, address, memberId],
    );
  await note(bound.id, 'email', free);
  await note(robbed.id, 'email', taken);
  await note(older.id, 'email', twice);
  await note(younger.id, 'email', twice);
  await note(older.id, 'phone', later, `m.created_at + interval '1 day'`);

  await knex.transaction((tx) => up(tx as unknown as Knex.Knex));

  const rows = await knex('members')
    .whereIn('id', [bound.id, robbed.id, older.id, younger.id])
    .orderBy('id')
    .select('id', 'email', 'phone');
  expect(rows).toMatchObject([
    { id: bound.id, email: free, phone },
    { id: robbed.id, email: null },
    { id: older.id, email: twice, phone: older.phone },
    { id: younger.id, email: null },
  ]);
  const barred = await knex('unproved_identifiers').whereNotNull('barred_at').orderBy('id').pluck('address');
  expect(barred).toEqual([free, twice]);
});
