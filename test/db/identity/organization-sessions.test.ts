import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

it.each([
  { bySso: true, bound: true },
  { bySso: false, bound: false },
])(
  'whether the provider has begun a session (%o) decides whether it is good in that organization only',
  async ({ bySso, bound }) => {
    const { accountId } = await addMember(workspace);
    const at = '2031-05-01T12:00:00Z';
    const [begun, joinedUntil, expires] = [at, '2031-05-02T00:00:00Z', '2031-07-30T12:00:00Z'];
    const insert = async (table: string, values: object): Promise<number> =>
      (
        await migrator(`identity.${table}`)
          .insert({ created_at: at, ...values })
          .returning('id')
      )[0].id;
    const organizationId = await insert('organizations', {
      name: 'A',
      slug: `joined-${bySso}`,
      updated_at: at,
    });
    const sessionId = await insert('sessions', {
      account_id: accountId,
      hash: Buffer.alloc(32, bySso ? 1 : 2),
      last_used_at: begun,
      expires_at: expires,
    });

    await insert('organization_sessions', {
      organization_id: organizationId,
      session_id: sessionId,
      account_id: accountId,
      hash: Buffer.alloc(32, bySso ? 3 : 4),
      by_sso: bySso,
      expires_at: joinedUntil,
    });

    expect(await migrator('identity.sessions').where({ id: sessionId }).first()).toMatchObject(
      bound
        ? { organization_id: organizationId, expires_at: new Date(joinedUntil) }
        : { organization_id: null, expires_at: new Date(expires) },
    );
  },
);
