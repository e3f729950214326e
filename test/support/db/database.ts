import { postgresBackend } from '../run/backend-client.js';
import { cloneTemplate, type TestDatabase } from './clone-template.js';

export type { TestDatabase } from './clone-template.js';

/** A migrated database of one's own: a copy of the run's template, which takes some tens of milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { port, superuserUrl } = await postgresBackend();
  return cloneTemplate(port, superuserUrl);
}
