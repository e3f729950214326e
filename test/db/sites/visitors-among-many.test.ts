import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../db/database.js';
import type { Tx } from '../../../db/tx.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { addMember, createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 200_000);
const stage = useWorkspace();
const hash = randomBytes(32);
const now = new Date();
let superuser: pg.Client;
let mine: { id: number; memberId: number };

/** Visitors of one busy site, half of them with a member, all of whose tokens are good; and one of another workspace. */
beforeAll(async () => {
  const other = await createWorkspace(stage.database.database);
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  const row = `now(), now(), now() + interval '1 day' + i * interval '1 second'`;
  const { memberId } = await addMember(stage.workspace);
  const inserted = await fillTables(superuser, ['identity.site_visitors'], async () => {
    await superuser.query(
      `insert into identity.site_visitors (hash, workspace_id, site_id, member_id, created_at, last_used_at, expires_at)
       select sha256(i::text::bytea), $1, 1, case when i % 2 = 0 then i end, ${row} from generate_series(1, $2::bigint) i`,
      [other.workspaceId, total],
    );
    return superuser.query(
      `insert into identity.site_visitors (hash, workspace_id, site_id, member_id, created_at, last_used_at, expires_at)
       select $1, $2, 7, $3, ${row} from generate_series(1, 1) i returning id`,
      [hash, stage.workspace.workspaceId, memberId],
    );
  });
  mine = { id: Number(inserted.rows[0].id), memberId };
}, 300_000);
afterAll(() => superuser.end());

async function explain(work: (tx: Tx, db: Database) => Promise<unknown>) {
  const { workspaceId } = stage.workspace;
  const plans = await explaining(
    stage.database.appUrl,
    workspaceId,
    (db) => db.inWorkspace(workspaceId, (tx) => work(tx, db)),
    /\bsite_visitors\b/,
  );
  expect(plans.length).toBeGreaterThan(0);
  return { rows: Math.max(...plans.map(({ rows }) => rows)), scans: plans.flatMap(({ scans }) => scans) };
}

describe.each(['never analysed', 'analysed'])('among many visitors, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze identity.site_visitors');
  }, 300_000);

  it.each<[string, (tx: Tx, db: Database) => Promise<unknown>]>([
    ['a token is looked up', (_, { identity }) => identity.siteVisitors.findInForce(hash, now)],
    ['a token is locked', (tx, { identity }) => identity.siteVisitors.lockInForce(hash, now, tx)],
    ['a visitor is locked', (tx, { identity }) => identity.siteVisitors.lock(mine.id, tx)],
    [
      'the chat of one is stored',
      (tx, { identity }) => identity.siteVisitors.patch(mine.id, { lastUsedAt: now }, tx),
    ],
    [
      'the tokens of a member end',
      (tx, { identity }) => {
        const claimant = { workspaceId: stage.workspace.workspaceId, memberId: mine.memberId };
        return identity.siteVisitors.endAllOf([claimant], now, tx);
      },
    ],
    ['those of a site are deleted', (tx, { identity }) => identity.siteVisitors.removeOfSite(7, tx)],
    [
      'those that have expired are deleted',
      (tx, { identity }) => identity.siteVisitors.removeExpired(now, tx),
    ],
  ])('%s by an index', async (_, work) => {
    const { rows, scans } = await explain(work);
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(10);
  });

  it('a hundred that have expired are deleted at a time, however many have', async () => {
    const later = new Date(now.getTime() + 400 * 86_400_000);
    const { rows, scans } = await explain((tx, { identity }) =>
      identity.siteVisitors.removeExpired(later, tx),
    );
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(1_000);
  });
});
