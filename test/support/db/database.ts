import { randomInt } from 'node:crypto';
import { postgresBackend } from '../run/backend-client.js';
import { cloneTemplate, type TestDatabase } from './clone-template.js';
import { queryOnce } from './connect.js';

export type { TestDatabase } from './clone-template.js';

/**
 * A migrated database for one test file: a copy of the run's template, which takes some tens of milliseconds. Its ids
 * start at a random number, because a worker runs several files and its caches by id must not mix their databases.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { port, superuserUrl } = await postgresBackend();
  const database = await cloneTemplate(port, superuserUrl);
  const firstId = randomInt(1, 1_000_000_000) * 1_000_000;
  await queryOnce(
    database.superuserUrl,
    `select setval(format('%I.%I', schemaname, sequencename), $1, false)
     from pg_sequences where schemaname = 'public' and data_type::text = 'bigint'`,
    [firstId],
  );
  return database;
}
