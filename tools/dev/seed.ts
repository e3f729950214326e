import { demo } from '../../api/http/demo.js';
import type { Database } from '../../db/database.js';
import type { AccountRow } from '../../db/identity/models/account.js';
import type { ApiKeyRow } from '../../db/identity/models/api-key.js';
import type { FileStorage } from '../../domain/files/objects/file-storage.js';
import { hashApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import { createApiKey } from '../../domain/identity/api-keys/create-api-key.js';
import { allScopes, type Scope, selfServiceScopes } from '../../domain/kernel/scopes.js';
import { systemClock } from '../../domain/lib/clock.js';
import { Encryption } from '../../domain/lib/encryption.js';
import { buildClinic, memberEmail } from './seed/clinic.js';
import { colleagueEmail, ensureColleague } from './seed/colleague.js';
import { clinicNumber } from './seed/configure-simulators.js';
import { buildExampleKeys } from './seed/example-keys.js';
import { findOrBuildExamples } from './seed/examples.js';
import { accountContext, findOrCreatePerson, findOrCreateWorkspace, ownerContext } from './seed/people.js';
import { ensureRecordWebhook, type Sink } from './seed/seed-webhook-rule.js';

interface SeedOptions {
  database: Database;
  encryptionKey: string;
  storage: FileStorage;
  sink: Sink;
  /** The identity provider of the demo organization. */
  issuer: string;
  /** The MCP server of the examples. */
  mcpServer: string;
  /** The keys of an earlier start; the database has only their hashes. */
  kept?: Seeded | undefined;
}

export interface Seeded {
  workspaceUuid: string;
  /** A key of the demo admin with all scopes. */
  adminApiKey: string;
  /** The e-mail address that the admin signs in with. */
  adminEmail: string;
  /** The e-mail addresses of the people whom the links of `npm start` sign in. */
  people: Readonly<Record<'admin' | 'colleague' | 'member', string>>;
  memberApiKey: string;
  /** A second tenant, to check that it cannot see the data of the first. */
  otherWorkspaceUuid: string;
  otherAdminApiKey: string;
  /** Whether the examples of the API reference work: the data folder was empty when the objects were created. */
  hasExamples: boolean;
}

/**
 * Creates two workspaces: a clinic with an intake workflow, and a second tenant that must not see the clinic's data.
 * Later starts find both and keep the keys that still work.
 */
export async function seed({
  database,
  encryptionKey,
  storage,
  sink,
  issuer,
  mcpServer,
  kept,
}: SeedOptions): Promise<Seeded> {
  const admin = await findOrCreatePerson(database, 'Demo Admin', demo.adminEmail);
  const otherAdmin = await findOrCreatePerson(database, 'Other Admin', 'admin@elsewhere.example');
  const { workspaceUuid: uuid } = demo;
  const clinic = await findOrCreateWorkspace(database, admin, {
    name: 'Demo Clinic',
    slug: 'demo-clinic',
    uuid,
  });
  const elsewhere = { name: 'Elsewhere', slug: 'demo-elsewhere' };
  const other = await findOrCreateWorkspace(database, otherAdmin, elsewhere);
  const member = await buildClinic(database, admin, clinic, clinicNumber);
  const owner = await ownerContext(database, admin, clinic);
  const context = { ...owner, encryption: new Encryption(encryptionKey) };
  const examples = await findOrBuildExamples(
    context,
    clinic,
    { receiverUrl: `${sink.url}/hooks/examples`, issuer, mcpServerUrl: `${mcpServer}/mcp` },
    storage,
  );
  await ensureRecordWebhook(context, sink);
  await ensureColleague(context);

  /** The secret of a key: the kept one if it still works, otherwise that of a new key. */
  const keyOf = async (account: AccountRow, name: string, scopes: readonly Scope[], before?: string) => {
    if (before !== undefined && (await findKey(database, before)) !== undefined) return before;
    return (await createApiKey(accountContext(database, account), { name, scopes })).secret;
  };
  const seeded = {
    workspaceUuid: clinic.uuid,
    adminApiKey: await keyOf(admin, 'Demo admin', allScopes, kept?.adminApiKey),
    memberApiKey: await keyOf(member, 'Demo member', selfServiceScopes, kept?.memberApiKey),
    otherWorkspaceUuid: other.uuid,
    otherAdminApiKey: await keyOf(otherAdmin, 'Other admin', allScopes, kept?.otherAdminApiKey),
    adminEmail: demo.adminEmail,
    people: { admin: demo.adminEmail, colleague: colleagueEmail, member: memberEmail },
    hasExamples: examples !== 'none',
  };
  const adminKey = await findKey(database, seeded.adminApiKey);
  if (examples === 'new' && adminKey !== undefined) await buildExampleKeys(database, admin, adminKey);
  return seeded;
}

/** Returns the key of an earlier start if it is still valid in this database. */
async function findKey(database: Database, secret: string): Promise<ApiKeyRow | undefined> {
  const found = await database.identity.apiKeys.findByHash(hashApiKey(secret));
  if (found === undefined || found.key.revokedAt !== null) return undefined;
  const isValid = found.key.expiresAt === null || found.key.expiresAt > systemClock.now();
  return isValid ? found.key : undefined;
}
