import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../../db/database.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApiOn } from '../../../support/api/use-api.js';
import { type DyingConnections, dyingConnections } from '../../../support/faults/dying-connections.js';
import { randomTag, uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { addLabel, countedTables } from './sign-up-desk.js';

const suite = useWorkspace({ storesEvents: true });
let database: Database;
let observer: pg.Client;
let connections: DyingConnections;
let slugs: { single: string; collection: string; label: string };

beforeAll(async () => {
  observer = new pg.Client({ connectionString: suite.database.superuserUrl });
  await observer.connect();
  database = new Database({ url: suite.database.appUrl });
});
afterAll(async () => {
  await database.close();
  await observer.end();
});
const api = useApiOn(() => database);
beforeAll(async () => {
  const admin = callAs(api, suite.workspace, suite.workspace.admin);
  const addType = async (isCollection: boolean) => {
    const fields = [{ slug: 'city', name: 'City', fieldType: 'text' }];
    const type = { name: 'Type', slug: `type-${randomTag()}`, isCollection, fields };
    return (await admin('POST', '/data-types', type)).body.slug;
  };
  const { slug: label } = await addLabel(suite.workspace);
  slugs = { single: await addType(false), collection: await addType(true), label };
});
beforeEach(() => {
  connections = dyingConnections();
});
afterEach(() => connections.restore());

/** The row counts of the tables that a sign-up writes to. */
async function counts(): Promise<Record<string, number>> {
  const columns = countedTables.map((table) => `(select count(*) from ${table})::int as "${table}"`);
  return (await observer.query(`select ${columns}`)).rows[0];
}

function signUp(identifiers: object, key?: string) {
  return api.request('POST', suite.workspace.path('/create-signup'), {
    apiKey: suite.workspace.admin.apiKey,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    body: {
      member: { ...identifiers, labels: [slugs.label] },
      data: {
        [slugs.single]: { externalId: randomTag(), values: { city: 'Lima' } },
        [slugs.collection]: { externalId: randomTag(), values: { city: 'Oslo' } },
      },
    },
  });
}

describe.each([
  ['before', 'no key'],
  ['after', 'no key'],
  ['after', 'an Idempotency-Key'],
] as const)('a connection lost %s each statement of a sign-up, with %s,', (when, keyed) => {
  it('leaves a complete sign-up or nothing', async () => {
    let statement = 0;
    let lost: boolean;
    let committedUnheard = 0;
    do {
      statement += 1;
      const before = await counts();
      const identifiers = { email: uniqueEmail(), phone: uniquePhone() };
      connections.dieAt(statement, when);
      const answer = await signUp(identifiers, keyed === 'no key' ? undefined : randomUUID());
      lost = connections.sent >= statement;
      connections.dieAt(0, when);

      expect(answer.status).toBe(lost ? 500 : 201);
      const after = await counts();
      const written = Object.values(after).map((count, index) => count - (Object.values(before)[index] ?? 0));
      // Member, label, records, changes, events of a member and two records, account, membership, token.
      const whole = [1, 1, 2, 2, 5, 1, 1, 1];
      expect([whole.map(() => 0), whole]).toContainEqual(written);
      if (lost && written[0] === 1) committedUnheard += 1;

      const again = await signUp(identifiers);
      expect(again).toMatchObject({ status: 201, body: { wasCreated: written[0] === 0 } });
    } while (lost);

    expect(statement).toBeGreaterThan(8);
    expect(committedUnheard).toBe(when === 'after' ? 1 : 0);
  });
});
