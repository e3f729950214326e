import { randomBytes } from 'node:crypto';
import { Database } from '../../../db/database.js';
import { postgresUrl } from '../../../tools/dev/provision/postgres-server.js';
import { templateDatabase, testPassword } from '../run/backends.js';
import { queryOnce } from './connect.js';

/** Connection strings of the roles, and a database of the service. */
export interface TestDatabase {
  appUrl: string;
  relayUrl: string;
  migratorUrl: string;
  superuserUrl: string;
  database: Database;
  /** Closes `database` and removes the database, whoever is still connected. */
  drop(): Promise<void>;
}

/** A migrated database on any server that has the template: a copy, which takes some tens of milliseconds. */
export async function cloneTemplate(port: number, superuserUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await queryOnce(
    superuserUrl,
    `create database ${name} template ${templateDatabase} strategy file_copy owner wes_migrator`,
  );
  const url = (user: string) => postgresUrl({ user, password: testPassword, port, database: name });
  const database = new Database({ url: url('wes_app') });
  return {
    appUrl: url('wes_app'),
    relayUrl: url('wes_relay'),
    migratorUrl: url('wes_migrator'),
    superuserUrl: url('postgres'),
    database,
    async drop() {
      await database.close();
      await queryOnce(superuserUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
