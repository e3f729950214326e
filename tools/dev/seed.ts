import type { Database } from '../../db/database.js';
import { allScopes, selfServiceScopes } from '../../domain/kernel/scopes.js';
import { Encryption } from '../../domain/lib/encryption.js';
import { buildClinic } from './seed/clinic.js';
import { issueKey, keyWorks } from './seed/keys.js';
import { findOrCreatePerson, findOrCreateWorkspace, ownerContext } from './seed/people.js';
import { type Sink, tellOfRecords } from './seed/tell-of-records.js';

/** The number of the demo workspace that messages come from and go to. */
export const clinicNumber = '+15550100100';

const adminEmail = 'admin@clinic.example';

export interface SeedOptions {
  database: Database;
  /** As api and worker have it. */
  encryptionKey: string;
  sink: Sink;
  /** Keys of an earlier start: the database has only their hashes. */
  kept?: { adminApiKey: string; memberApiKey: string; otherAdminApiKey: string };
}

export interface Seeded {
  workspaceUuid: string;
  adminApiKey: string;
  /** Who can sign in by it. */
  adminEmail: string;
  memberApiKey: string;
  otherWorkspaceUuid: string;
  otherAdminApiKey: string;
}

/**
 * Two workspaces to try the service with: a clinic with an intake workflow, and another one that must see nothing
 * of it. Made once; later starts find them and keep their keys.
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
