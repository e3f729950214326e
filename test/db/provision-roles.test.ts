import { expect, test } from 'vitest';
import { migrateToLatest } from '../../db/migrator.js';
import { provisionRoles, rolesFromUrls } from '../../db/provision.js';
import { postgresUrl } from '../../tools/dev/provision/postgres-server.js';
import { queryOnce } from '../support/db/connect.js';
import { startOwnPostgres } from '../support/faults/own-postgres.js';
import { testPassword } from '../support/run/backends.js';

const passwords = { wes_migrator: 'one', wes_app: 'two', wes_relay: 'three' };

test('provisionRoles repairs roles and database, can be repeated, and must precede the migrations', async () => {
  const server = await startOwnPostgres();
  const port = Number(new URL(server.superuserUrl).port);
  await queryOnce(server.superuserUrl, `alter role wes_app bypassrls createdb`);

  await Promise.all([1, 2, 3].map(() => provisionRoles(server.superuserUrl, { database: 'wes', passwords })));

  const roles = await queryOnce(
    postgresUrl({ user: 'wes_migrator', password: 'one', port, database: 'wes' }),
    `select rolname, rolsuper or rolbypassrls or rolcreatedb or rolcreaterole as mighty
     from pg_roles where rolname like 'wes_%' order by 1`,
  );
  expect(roles).toEqual([
    { rolname: 'wes_app', mighty: false },
    { rolname: 'wes_migrator', mighty: false },
    { rolname: 'wes_relay', mighty: false },
    { rolname: 'wes_search', mighty: false },
  ]);
  const asBefore = postgresUrl({ user: 'wes_app', password: testPassword, port, database: 'wes' });
  await expect(queryOnce(asBefore, 'select 1')).rejects.toThrow('password authentication failed');

  await queryOnce(server.superuserUrl, 'revoke wes_search from wes_migrator');
  const asMigrator = postgresUrl({ user: 'wes_migrator', password: 'one', port, database: 'wes' });
  await expect(migrateToLatest(asMigrator)).rejects.toThrow(
    'The role wes_search is missing, or wes_migrator is no member of it: run `node dist/db/migrate.js provision` first.',
  );
  await server.stop();
});

test('rolesFromUrls reads passwords and database from the connection strings of the roles', () => {
  const url = (user: string, password: string) => `postgresql://${user}:${password}@db.example:5432/service`;

  const provisioning = rolesFromUrls(
    url('wes_migrator', 'a%2Fb'),
    url('wes_app', 'two'),
    url('wes_relay', 'three'),
  );

  expect(provisioning).toEqual({
    database: 'service',
    passwords: { wes_migrator: 'a/b', wes_app: 'two', wes_relay: 'three' },
  });
  expect(() =>
    rolesFromUrls(url('postgres', 'one'), url('wes_app', 'two'), url('wes_relay', 'three')),
  ).toThrow('The connection string for wes_migrator names another role: postgres.');
});
