import { queryOnce } from './connect.js';
import type { TestDatabase } from './database.js';

/** What a lost server, or a lost row, amounts to. */
export async function emptyOutbox({ relayUrl }: Pick<TestDatabase, 'relayUrl'>): Promise<void> {
  await queryOnce(relayUrl, 'delete from outbox');
}
