import type { Database } from '../../db/database.js';
import type { AccountRow } from '../../db/identity/accounts.js';
import { hashApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import { createApiKey } from '../../domain/identity/api-keys/create-api-key.js';
import { allScopes, type Scope, selfServiceScopes } from '../../domain/kernel/scopes.js';
import { systemClock } from '../../domain/lib/clock.js';
import { Encryption } from '../../domain/lib/encryption.js';
import { buildClinic } from './seed/clinic.js';
import { accountContext, findOrCreatePerson, findOrCreateWorkspace, ownerContext } from './seed/people.js';
import { type Sink, tellOfRecords } from './seed/tell-of-records.js';

/** The phone number of the demo workspace. */
export const clinicNumber = '+15550100100';

const adminEmail = 'admin@clinic.example';

export interface SeedOptions {
  database: Database;
  /** The ENCRYPTION_KEY of api and worker. */
  encryptionKey: string;
  sink: Sink;
  /** The keys of an earlier start; the database has only their hashes. */
  kept?: { adminApiKey: string; memberApiKey: string; otherAdminApiKey: string };
}

export interface Seeded {
  workspaceUuid: string;
  adminApiKey: string;
  /** The e-mail address that the admin signs in with. */
  adminEmail: string;
  memberApiKey: string;
  otherWorkspaceUuid: string;
  otherAdminApiKey: string;
}

/**
 * Creates two workspaces: a clinic with an intake workflow, and a second tenant that must not see the clinic's data.
 * Later starts find both and keep the keys that still work.
 */
export async function seed({ database, encryptionKey, sink, kept }: SeedOptions): Promise<Seeded> {
  const admin = await findOrCreatePerson(database, 'Demo Admin', adminEmail);
  const otherAdmin = await findOrCreatePerson(database, 'Other Admin', 'admin@elsewhere.example');
  const clinic = await findOrCreateWorkspace(database, admin, { name: 'Demo Clinic', slug: 'demo-clinic' });
  const other = await findOrCreateWorkspace(database, otherAdmin, {
    name: 'Elsewhere',
    slug: 'demo-elsewhere',
  });
  const member = await buildClinic(database, admin, clinic, clinicNumber);
  const owner = await ownerContext(database, admin, clinic);
  await tellOfRecords({ ...owner, encryption: new Encryption(encryptionKey) }, sink);

  const keep = async (secret: string | undefined, issue: () => Promise<string>): Promise<string> =>
    secret !== undefined && (await keyWorks(database, secret)) ? secret : issue();
  return {
    workspaceUuid: clinic.uuid,
    adminApiKey: await keep(kept?.adminApiKey, () => issueKey(database, admin, 'Demo admin', allScopes)),
    adminEmail,
    memberApiKey: await keep(kept?.memberApiKey, () =>
      issueKey(database, member, 'Demo member', selfServiceScopes),
    ),
    otherWorkspaceUuid: other.uuid,
    otherAdminApiKey: await keep(kept?.otherAdminApiKey, () =>
      issueKey(database, otherAdmin, 'Other admin', allScopes),
    ),
  };
}

/** Creates an API key for the account. @returns the secret, which cannot be read again */
async function issueKey(
  database: Database,
  account: AccountRow,
  name: string,
  scopes: readonly Scope[],
): Promise<string> {
  const { secret } = await createApiKey(accountContext(database, account), { name, scopes });
  return secret;
}

/** Whether a key of an earlier start is still valid in this database. */
async function keyWorks(database: Database, secret: string): Promise<boolean> {
  const found = await database.identity.apiKeys.findByHash(hashApiKey(secret));
  if (found === undefined || found.key.revokedAt !== null) return false;
  return found.key.expiresAt === null || found.key.expiresAt > systemClock.now();
}
