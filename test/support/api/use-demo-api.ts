import { afterAll, beforeAll } from 'vitest';
import { objectStore } from '../../../api/object-store.js';
import { createApplication } from '../../../domain/identity/oauth/applications.js';
import type { Scope } from '../../../domain/kernel/scopes.js';
import { systemClock } from '../../../domain/lib/clock.js';
import type { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { type Seeded, seed } from '../../../tools/dev/seed.js';
import { cloneTemplate, type TestDatabase } from '../db/clone-template.js';
import { setApart } from '../db/set-apart.js';
import { testEncryptionKey } from '../lib/encryption.js';
import { later } from '../lib/later.js';
import { postgresBackend } from '../run/backend-client.js';
import { scratchStorage } from '../storage/scratch-storage.js';
import { type ApiOptions, startApi, type TestApi } from './api.js';
import { TestOAuthClient } from './oauth-client.js';
import { PageVisitor } from './page-visitor.js';

const redirectUri = 'https://client.example/callback';

interface DemoApi {
  database: TestDatabase;
  api: TestApi;
  seeded: Seeded;
  storage: DiskStorage;
  close(): Promise<void>;
}

interface DemoApiOptions extends Omit<ApiOptions, 'storage'> {
  /** Whether there is the same a second time, set apart: `idApart` has its ids. */
  besideOther?: boolean;
}

/** The demo workspace, with all objects that examples name by their ids, and an api, for a suite. */
export function useDemoApi(options: DemoApiOptions = {}) {
  let demo: DemoApi | undefined;
  beforeAll(async () => {
    demo = await startDemoApi(options);
  });
  afterAll(() => demo?.close());
  const visitors = new Map<string, Promise<PageVisitor>>();

  /** A token for the tools, of the person with this address, who has let a client into one of the two workspaces. */
  async function toolToken(
    email: string,
    place: 'clinic' | 'elsewhere',
    scopes: readonly Scope[],
  ): Promise<string> {
    const { api, database, seeded } = demo as DemoApi;
    const { accounts } = database.database.identity;
    const account = await accounts.findByEmail(email);
    if (account === undefined) throw new Error(`nobody has the address ${email}`);
    const credential = {
      kind: 'session',
      id: 1,
      scopes: null,
      workspaceId: null,
      organizationId: null,
      expiresAt: null,
    } as const;
    const context = { db: database.database, clock: systemClock, account, credential };
    const made = { name: 'Client', redirectUris: [redirectUri], scopes: [...scopes], confidential: false };
    const { application } = await createApplication(context, made);
    const client = new TestOAuthClient(api, { clientId: application.clientId, redirectUri });
    const visitor = visitors.get(email) ?? signedIn(api, email);
    visitors.set(email, visitor);
    const begun = await client.begin({ scope: scopes.join(' '), resource: client.resource.mcp });
    const uuid = place === 'clinic' ? seeded.workspaceUuid : seeded.otherWorkspaceUuid;
    const workspaceId = String((await database.database.identity.workspaces.findByUuid(uuid))?.id);
    const { location = '' } = await client.consent(await visitor, begun.path, { workspaceId });
    return (await client.exchange(location, begun)).access_token;
  }
  return { demo: later(() => demo), api: later(() => demo?.api), toolToken };
}

async function startDemoApi({ besideOther = false, ...options }: DemoApiOptions): Promise<DemoApi> {
  const { port, superuserUrl } = await postgresBackend();
  // Its ids begin at 1, as the demo's do.
  const database = await cloneTemplate(port, superuserUrl);
  const { storage, remove } = scratchStorage();
  const clock = options.clock ?? systemClock;
  const seedDemo = () =>
    seed({
      database: database.database,
      encryptionKey: testEncryptionKey,
      storage: { objects: objectStore(storage, { clock }), bytesPerWorkspace: 1_073_741_824 },
      sink: {
        url: 'http://127.0.0.1:4014',
        signingSecret: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
      },
      issuer: 'http://127.0.0.1:4015',
      mcpServer: 'http://127.0.0.1:4016',
    });
  if (besideOther) {
    await seedDemo();
    await setApart(database.superuserUrl);
  }
  const seeded = await seedDemo();
  const api = await startApi(database.database, { ...options, storage });
  const close = async () => {
    await api.close();
    await database.drop();
    remove();
  };
  return { database, api, seeded, storage, close };
}

async function signedIn(api: TestApi, email: string): Promise<PageVisitor> {
  const visitor = new PageVisitor(api);
  await visitor.signIn(email);
  return visitor;
}
