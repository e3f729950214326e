import type { Database } from '../../../db/database.js';
import { LoginSecret } from '../../../domain/identity/login-codes/login-secret.js';

/** Of the api and the worker in tests. */
export const testLoginSecretText = 'a secret of tests, of more than 32 characters';
export const testLoginSecret = new LoginSecret(testLoginSecretText);

/** Where login codes of tests are sent from. */
export const testLoginSmsFrom = '+15550100199';

/** The databases behind the apis that tests started, by the address of the api. */
const databases = new Map<string, Database>();

/** Has `loginCodeOf` find the codes that an api makes. */
export function noteDatabaseOf(baseUrl: string, database: Database): void {
  databases.set(baseUrl, database);
}

/** The code as it is sent: of what is kept of it, and the secret. */
export async function loginCodeOf({ baseUrl }: { baseUrl: string }, uuid: string): Promise<string> {
  const row = await databases.get(baseUrl)?.identity.loginCodes.findByUuid(uuid);
  if (row === undefined) throw new Error('there is no such login code');
  return testLoginSecret.codeOf(row);
}
