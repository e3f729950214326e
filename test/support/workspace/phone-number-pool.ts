import type { Database } from '../../../db/database.js';
import { uniquePhone } from './factories.js';

/** Puts a number into the operator's pool, for any workspace unless one is given. */
export async function pooledPhone(
  database: Database,
  { number = uniquePhone(), workspaceId }: { number?: string; workspaceId?: number } = {},
): Promise<string> {
  const createdAt = new Date();
  await database.identity.phoneNumberPool.add({
    number,
    source: 'superuser',
    createdAt,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
  return number;
}
