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

export const clinicNumber = '+15550100100';

const adminEmail = 'admin@clinic.example';

interface SeedOptions {
  database: Database;
  encryptionKey: string;
  sink: Sink;
  /** The keys of an earlier start; the database has only their hashes. */
  kept?: Seeded | undefined;
}

export interface Seeded {
  workspaceUuid: string;
  /** A key of the demo admin with all scopes. */
  adminApiKey: string;
  /** The e-mail address that the admin signs in with. */
  adminEmail: string;
  memberApiKey: string;
  /** A second tenant, to check that it cannot see the data of the first. */
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
  const elsewhere = { name: 'Elsewhere', slug: 'demo-elsewhere' };
  const other = await findOrCreateWorkspace(database, otherAdmin, elsewhere);
  const member = await buildClinic(database, admin, clinic, clinicNumber);
  const owner = await ownerContext(database, admin, clinic);
  await tellOfRecords({ ...owner, encryption: new Encryption(encryptionKey) }, sink);

  /** The secret of a key: the kept one if it still works, otherwise that of a new key. */
  const keyOf = async (account: AccountRow, name: string, scopes: readonly Scope[], before?: string) => {
    if (before !== undefined && (await keyWorks(database, before))) return before;
    return (await createApiKey(accountContext(database, account), { name, scopes })).secret;
  };
  return {
    workspaceUuid: clinic.uuid,
    adminApiKey: await keyOf(admin, 'Demo admin', allScopes, kept?.adminApiKey),
    memberApiKey: await keyOf(member, 'Demo member', selfServiceScopes, kept?.memberApiKey),
    otherWorkspaceUuid: other.uuid,
    otherAdminApiKey: await keyOf(otherAdmin, 'Other admin', allScopes, kept?.otherAdminApiKey),
    adminEmail,
  };
}

/** Whether a key of an earlier start is still valid in this database. */
async function keyWorks(database: Database, secret: string): Promise<boolean> {
  const found = await database.identity.apiKeys.findByHash(hashApiKey(secret));
  if (found === undefined || found.key.revokedAt !== null) return false;
  return found.key.expiresAt === null || found.key.expiresAt > systemClock.now();
}
