import pg from 'pg';
import type { TestDatabase } from './database.js';

/** What a lost server, or a lost row, amounts to. */
export async function emptyOutbox({ relayUrl }: Pick<TestDatabase, 'relayUrl'>): Promise<void> {
  const client = new pg.Client({ connectionString: relayUrl });
  await client.connect();
  await client.query('delete from outbox');
  await client.end();
}
