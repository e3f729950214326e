import { parseArgs } from 'node:util';
import { Database } from '../db/database.js';
import { createApiKey } from '../domain/identity/api-keys/create-api-key.js';
import { createWorkspace } from '../domain/identity/workspaces/create-workspace.js';
import { allScopes } from '../domain/kernel/scopes.js';
import { systemClock } from '../domain/lib/clock.js';
import { normalizeEmail } from '../domain/lib/email.js';

const usage = 'Usage: DATABASE_URL=… node dist/runtime/create-workspace.js --email EMAIL --name NAME';

/**
 * Creates a workspace, its owner's account if there is none, and an API key with every scope: the first step on an
 * empty database. Prints the result as JSON; the key cannot be shown again.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' }, name: { type: 'string' } } });
  const email = normalizeEmail(values.email ?? '');
  const url = process.env.DATABASE_URL;
  if (email === null || values.name === undefined || url === undefined) throw new TypeError(usage);

  const db = new Database({ url, poolSize: 2 });
  try {
    const account =
      (await db.identity.accounts.findByEmail(email)) ?? (await db.identity.accounts.create({ email }));
    const credential = {
      kind: 'session',
      id: 0,
      scopes: null,
      workspaceId: null,
      organizationId: null,
      expiresAt: null,
    } as const;
    const context = { db, clock: systemClock, account, credential };
    const workspace = await createWorkspace(context, { name: values.name });
    const { secret } = await createApiKey(context, { name: 'First key', scopes: allScopes });
    process.stdout.write(`${JSON.stringify({ workspaceUuid: workspace.uuid, apiKey: secret })}\n`);
  } finally {
    await db.close();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
