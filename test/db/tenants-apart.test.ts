import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../db/database.js';
import { entering } from '../../db/people/member-access.js';
import { findMember } from '../../db/people/members.js';
import { prepared } from '../../db/statement.js';
import type { Tx } from '../../db/tx.js';
import { useConnection, useDatabase } from '../support/db/use-database.js';
import { type SabotagedPostgres, sabotagePostgres, sabotages } from '../support/faults/sabotaged-postgres.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

const testDatabase = useDatabase();
const asSuperuser = useConnection(() => testDatabase.superuserUrl);
let tenants: readonly [TestWorkspace, TestWorkspace];
let postgres: SabotagedPostgres;

beforeAll(async () => {
  const { database } = testDatabase;
  tenants = [await createWorkspace(database), await createWorkspace(database)];
  postgres = await sabotagePostgres(Number(new URL(testDatabase.appUrl).port));
});
afterAll(() => postgres.close());

type Outcome = 'failed' | { saw: unknown; shouldSee: unknown };
type Command = (database: Database, own: TestWorkspace, other: TestWorkspace) => Promise<Outcome>;

const allMembers = (tx: Tx) => tx('members').orderBy('id').pluck('id');
const membersOf = (own: TestWorkspace) => [own.admin.memberId, own.member.memberId];

/** Updates every row that it can reach, by naming it and by what the policy shows. */
async function touch(tx: Tx, own: TestWorkspace, other: TestWorkspace): Promise<unknown> {
  const note = `of ${own.workspaceUuid}`;
  const [foreign, all] = await Promise.all([
    tx('members').where({ id: other.member.memberId }).update({ description: note }),
    tx('members').update({ description: note }),
  ]);
  return { foreign, all };
}

const commands: Command[] = [
  async (database, own, other) => ({
    saw: await database.readInWorkspace(own.workspaceId, async (tx) => [
      await allMembers(tx),
      (await findMember(tx, other.member.memberId))?.id,
      (await findMember(tx, own.member.memberId))?.id,
    ]),
    shouldSee: [membersOf(own), undefined, own.member.memberId],
  }),
  async (database, own, other) => ({
    saw: await database.readInWorkspace(own.workspaceId, (tx) =>
      Promise.all([findMember(tx, own.admin.memberId), findMember(tx, other.admin.memberId)]).then((found) =>
        found.map((row) => row?.id),
      ),
    ),
    shouldSee: [own.admin.memberId, undefined],
  }),
  async (database, own, other) => ({
    saw: await database.inWorkspace(own.workspaceId, (tx) => touch(tx, own, other)),
    shouldSee: { foreign: 0, all: 2 },
  }),
  async (database, own, other) => ({
    saw: await database.atomically(own.workspaceId, async (within) => [
      await within.inWorkspace(own.workspaceId, (tx) => touch(tx, own, other)),
      await within.inWorkspace(own.workspaceId, allMembers),
    ]),
    shouldSee: [{ foreign: 0, all: 2 }, membersOf(own)],
  }),
  async (database, own) => ({
    saw: await database.atomically(null, async (within) => within.inWorkspace(own.workspaceId, allMembers)),
    shouldSee: membersOf(own),
  }),
  async (database, own) => {
    await database.inWorkspace(own.workspaceId, async (tx) => {
      await tx('members').update({ description: 'never to be seen' });
      throw new Error('rolled back');
    });
    throw new Error('unreachable');
  },
  async (database, own) => {
    let saw: Promise<unknown> | undefined;
    const entered = await database.readEntering(
      (tx) => prepared(tx, `select ${entering('?::text', `''`)}`, [own.workspaceId]),
      (tx) => {
        saw = prepared(tx, 'select id from members order by id', []);
        return saw;
      },
    );
    expect(entered).toHaveLength(1);
    return { saw: await saw, shouldSee: membersOf(own).map((id) => ({ id })) };
  },
  async (database, own) => ({
    saw: (await database.identity.workspaces.findByUuid(own.workspaceUuid))?.id,
    shouldSee: own.workspaceId,
  }),
];

function hammer(database: Database): Promise<Outcome[]> {
  const [one, other] = tenants;
  const all = commands.flatMap((command) => [command(database, one, other), command(database, other, one)]);
  return Promise.all(all.map((outcome) => outcome.catch(() => 'failed' as const)));
}

function openPool(url: string): Database {
  return new Database({ url, poolSize: 2 });
}

/** Checks that each command saw its own rows only. @returns how many commands failed */
function expectOwnRowsOnly(outcomes: Outcome[]): number {
  const answers = outcomes.filter((outcome) => outcome !== 'failed');
  expect(answers.map(({ saw }) => saw)).toEqual(answers.map(({ shouldSee }) => shouldSee));
  return outcomes.length - answers.length;
}

async function expectNothingForeignWritten(): Promise<void> {
  const { rows } = await asSuperuser('select workspace_id, description from members');
  for (const { workspace_id, description } of rows) {
    const own = tenants.find(({ workspaceId }) => workspaceId === Number(workspace_id));
    expect([null, '', `of ${own?.workspaceUuid}`]).toContain(description);
  }
}

/** Every eleventh statement is spoiled, starting at each of the first eleven in turn: each one is spoiled once. */
const period = 11;

describe.each(sabotages)('isolation of two tenants with any one statement %s', (sabotage) => {
  it('holds for reads and writes, and hides no row from its owner', async () => {
    let failures = 0;
    for (let first = 1; first <= period; first += 1) {
      const database = openPool(postgres.throughIt(testDatabase.appUrl));
      postgres.spoil({ first, period, sabotage });
      failures += expectOwnRowsOnly(await hammer(database));
      await database.close();
      expect(postgres.spoiled).toBeGreaterThan(0);
    }
    expect(failures).toBeGreaterThan(period);
    await expectNothingForeignWritten();
  });
});

describe('isolation of two tenants while connections are disturbed again and again', () => {
  it.each(['pg_cancel_backend', 'pg_terminate_backend'])('holds with %s', async (fault) => {
    const database = openPool(testDatabase.appUrl);
    let hammering = true;
    const disturbing = (async () => {
      while (hammering) {
        await asSuperuser(
          `select ${fault}(pid) from pg_stat_activity where datname = current_database() and usename = 'wes_app'`,
        );
      }
    })();
    let failures = 0;
    for (let round = 0; round < 40; round += 1) failures += expectOwnRowsOnly(await hammer(database));
    hammering = false;
    await disturbing;
    await database.close();
    expect(failures).toBeGreaterThan(0);
    await expectNothingForeignWritten();
  });

  it('holds with a short time limit', async () => {
    const url = new URL(testDatabase.appUrl);
    url.searchParams.set('options', '-c statement_timeout=2ms');
    const database = openPool(url.toString());
    for (let round = 0; round < 40; round += 1) expectOwnRowsOnly(await hammer(database));
    await database.close();
    await expectNothingForeignWritten();
  });
});
