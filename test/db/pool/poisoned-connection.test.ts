import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../db/database.js';
import { findMember } from '../../../db/people/members.js';
import { type SabotagedPostgres, sabotagePostgres } from '../../support/faults/sabotaged-postgres.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { database: testDatabase, workspace } = useWorkspace();
let postgres: SabotagedPostgres;

beforeAll(async () => {
  postgres = await sabotagePostgres(Number(new URL(testDatabase.appUrl).port));
});
afterAll(async () => {
  await postgres.close();
});

const read = (database: Database) =>
  database.readInWorkspace(workspace.workspaceId, (tx) => findMember(tx, workspace.member.memberId));
const write = (database: Database) =>
  database.inWorkspace(workspace.workspaceId, (tx) => tx('members').update({ description: 'changed' }));
const fail = (database: Database) =>
  database
    .inWorkspace(workspace.workspaceId, async (tx) => {
      await findMember(tx, workspace.member.memberId);
      throw new Error('rolled back');
    })
    .catch(() => undefined);
const lookUp = (database: Database) => database.identity.workspaces.findByUuid(workspace.workspaceUuid);

/** A cancelled BEGIN or COMMIT may leave the connection in a failed transaction, which later users must not notice. */
describe.each([
  ['a read', read],
  ['a write', write],
  ['what is rolled back', fail],
] as const)('a connection on which any statement of %s was cancelled', (_name, work) => {
  it.each(['cancelled', 'cancelled halfway'] as const)('serves later requests (%s)', async (sabotage) => {
    for (let at = 1; ; at += 1) {
      const database = new Database({ url: postgres.throughIt(testDatabase.appUrl), poolSize: 1 });
      await lookUp(database);
      postgres.spoil({ first: at, sabotage });
      await work(database).catch(() => undefined);
      const wasSpoiled = postgres.spoiled === 1;
      postgres.spoil({ first: Number.POSITIVE_INFINITY, sabotage });
      // The next query may have been sent before the connection was found to be broken.
      await lookUp(database).catch(() => undefined);
      for (const next of [lookUp, read, write]) {
        await expect(next(database), `statement ${at}`).resolves.toBeTruthy();
      }
      await database.close();
      if (!wasSpoiled) return expect(at).toBeGreaterThan(2);
    }
  });
});
