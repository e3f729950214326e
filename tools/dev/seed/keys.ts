import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/accounts.js';
import { hashApiKey } from '../../../domain/identity/api-keys/api-key-secret.js';
import { createApiKey } from '../../../domain/identity/api-keys/create-api-key.js';
import type { Scope } from '../../../domain/kernel/scopes.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { accountContext } from './people.js';

/** Creates an API key for the account. @returns the secret, which cannot be read again */
export async function issueKey(
  database: Database,
  account: AccountRow,
  name: string,
  scopes: readonly Scope[],
): Promise<string> {
  const { secret } = await createApiKey(accountContext(database, account), { name, scopes });
  return secret;
}

/** Whether a key of an earlier start is still valid in this database. */
export async function keyWorks(database: Database, secret: string): Promise<boolean> {
  const found = await database.identity.apiKeys.findByHash(hashApiKey(secret));
  if (found === undefined || found.key.revokedAt !== null) return false;
  return found.key.expiresAt === null || found.key.expiresAt > systemClock.now();
}
