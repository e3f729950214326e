import { demo } from '../../../api/http/demo.js';
import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import { createApiKey } from '../../../domain/identity/api-keys/create-api-key.js';
import { createApplication } from '../../../domain/identity/oauth/applications.js';
import { giveGrant } from '../../../domain/identity/oauth/grants.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { expectId } from './expect-id.js';
import { accountContext } from './people.js';

/** Creates keys with the admin's key, because a key may only change those that it has created. */
export async function buildExampleKeys(
  database: Database,
  admin: AccountRow,
  adminKey: { id: number; expiresAt: Date | null },
): Promise<void> {
  const scopes = new Set(allScopes);
  const credential = {
    ...adminKey,
    kind: 'api_key',
    scopes,
    workspaceId: null,
    organizationId: null,
  } as const;
  const context = { ...accountContext(database, admin), credential };
  const places = { Reporting: demo.apiKeyId, Website: demo.apiKeyToRotate, Former: demo.apiKeyToRevoke };
  for (const [name, expected] of Object.entries(places)) {
    const { key } = await createApiKey(context, { name, scopes: ['members:read', 'chats:read'] });
    expectId('API key', key, expected);
  }
  const person = {
    ...context,
    credential: {
      kind: 'session',
      id: 0,
      scopes: null,
      workspaceId: null,
      organizationId: null,
      expiresAt: null,
    },
  } as const;
  const { application } = await createApplication(person, {
    uuid: demo.applicationUuid,
    name: 'Desk client',
    redirectUris: ['https://desk.example/callback'],
    scopes: ['chats:read', 'members:read'],
  });
  const workspace = await database.identity.workspaces.findByUuid(demo.workspaceUuid);
  if (workspace === undefined) throw new Error('there is no demo workspace');
  await giveGrant(person, {
    uuid: demo.connectionUuid,
    workspaceId: workspace.id,
    clientId: application.clientId,
    clientName: application.name,
    scopes: ['chats:read'],
    resource: 'http://127.0.0.1:3000/api/v2/mcp',
  });
}
