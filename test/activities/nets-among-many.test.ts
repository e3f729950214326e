import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasDeliveryOfLaterGroup } from '../../db/channels/deliveries.js';
import { listLeftRuns } from '../../domain/assignments/left-runs.js';
import { activeAssignments, listActiveRunsOf } from '../../domain/assignments/reconcile-runs.js';
import { nextDelivery } from '../../domain/channels/deliveries/next-delivery.js';
import { waitingChats } from '../../domain/conversations/chats/repair-chats.js';
import { overdueDeliveries } from '../../domain/events/webhook-deliveries/reconcile-deliveries.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import type { WalkPage } from '../../domain/lib/paging.js';
import { type ManyChats, makeManyChats } from '../support/chats/many-chats.js';
import { explaining } from '../support/db/explained.js';
import { useDatabase } from '../support/db/use-database.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

/** A million in CI. Reading the whole of a table exceeds `most` with either number by far. */
const quietChats = Number(process.env.TEST_ROWS ?? 100_000);
/** One in so many chats is of each kind, so that 200 are: a page. */
const each = quietChats / 200;
const quiet: ManyChats = {
  total: quietChats,
  unanswered: `i % ${each} = 0`,
  active: `i % ${each} = 1`,
  toFollowUp: `i % ${each} = 2`,
  unsent: `i % ${each} = 3`,
  late: `i % ${each} = 4`,
  overdue: `i % ${each} = 5`,
  withoutAgent: 'i % 10 = 7',
};
/** As after an outage in which no chat was answered and no message was sent. */
const busy: ManyChats = {
  total: Math.min(quietChats / 2, 100_000),
  unanswered: 'true',
  active: 'true',
  toFollowUp: 'true',
  unsent: 'i % 2 = 0',
  late: 'i % 2 = 1',
  overdue: 'true',
  withoutAgent: 'false',
};

const testDatabase = useDatabase();
let superuser: pg.Client;
let places: Record<'quiet' | 'busy', TestWorkspace>;
let lastQuietChat: number;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  places = {
    quiet: await createWorkspace(testDatabase.database),
    busy: await createWorkspace(testDatabase.database),
  };
  [lastQuietChat = 0] = await makeManyChats(testDatabase.superuserUrl, [
    [places.quiet, quiet],
    [places.busy, busy],
  ]);
}, 600_000);
afterAll(async () => {
  await superuser.end();
});

/** The result of `work` in a workspace, how it read the tables, and how many rows it read. */
async function look<T>(
  { workspaceId, context }: TestWorkspace,
  work: (context: ServiceContext, workspaceId: number) => Promise<T>,
): Promise<{ found: T; scans: string[]; rows: number }> {
  const found: T[] = [];
  const explained = await explaining(
    testDatabase.appUrl,
    workspaceId,
    async (db) => found.push(await work({ ...context(), db }, workspaceId)),
    /^(select|with) .*\b(chats|assignments|follow_ups|deliveries|webhook_deliveries|outbox)\b/s,
  );
  return {
    found: found[0] as T,
    scans: explained.flatMap(({ scans }) => scans).filter((scan) => !/outbox/.test(scan)),
    rows: explained.reduce((sum, one) => sum + one.rows, 0),
  };
}

type Page = WalkPage<unknown, unknown>;
type Net = (context: ServiceContext, workspaceId: number) => Promise<Page>;

/** Each net with its index, and the number of items on a page when every chat is waiting. */
const nets: [string, Net, string, number][] = [
  ['assignments', activeAssignments.page, 'assignments_workspace_id_id_idx', 200],
  // These are handled by the assignments of the chats.
  ['answers', waitingChats.answers.page, 'chats_unanswered', 0],
  ['follow-ups', waitingChats.follow_ups.page, 'follow_ups_workspace_id_chat_id_due_at_idx', 0],
  ['deliveries', waitingChats.deliveries.page, 'deliveries_unsent', 200],
  ['receipts', waitingChats.receipts.page, 'deliveries_with_receipt_due', 200],
  ['webhooks', overdueDeliveries.page, 'webhook_deliveries_due', 200],
];

/** The rows of a page, and the look-ups for each of them. */
const most = 1_000;

describe.each(['never analysed', 'analysed'])('reconciler queries among many rows, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze');
  }, 300_000);

  it.each(nets)('read a page of the net for %s by its index', async (_, net, index) => {
    const { found, scans, rows } = await look(places.quiet, net);

    expect(found.items).toHaveLength(200);
    expect(scans[0]).toMatch(new RegExp(`^Index (Only )?Scan ${index}$`));
    expect(scans.filter((scan) => !/^Index (Only )?Scan /.test(scan))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(most);
  });

  it.each(nets)('read no more for %s when every chat is waiting', async (_, net, index, items) => {
    const { found, scans, rows } = await look(places.busy, net);

    expect(found.items).toHaveLength(items);
    expect(found.next).toBeDefined();
    expect(scans[0]).toMatch(new RegExp(`^Index (Only )?Scan ${index}$`));
    expect(rows).toBeLessThanOrEqual(most);
  });

  it('look the assignments of a thousand open or closed runs up by their index', async () => {
    const { workspaceId } = places.quiet;
    const { rows: ended } = await superuser.query(
      `update assignments set concluded_at = now() - interval '1 hour' where id in (
         select id from assignments where workspace_id = $1 and status = 'completed' order by id limit 999)
       returning uuid`,
      [workspaceId],
    );
    const uuids = [...ended.map(({ uuid }) => uuid), randomUUID()];

    const open = await look(places.quiet, (context) => listLeftRuns(context, workspaceId, uuids));
    const closed = await look(places.quiet, (context) => listActiveRunsOf(context, workspaceId, uuids));

    expect([open.found.length, closed.found.length]).toEqual([most, 0]);
    for (const { scans, rows } of [open, closed]) {
      expect(scans).toEqual(['Index Scan assignments_uuid_key']);
      expect(rows).toBeLessThanOrEqual(most);
    }
  });

  it('find the next delivery by an index, whatever was sent in the chat before', async () => {
    const input = { workspaceId: places.quiet.workspaceId, chatId: lastQuietChat };

    const { found, scans, rows } = await look(places.quiet, (context) => nextDelivery(context, input));

    expect(found).toEqual({ kind: 'idle' });
    expect(scans).toEqual(['Index Scan deliveries_unsent', 'Index Scan deliveries_with_receipt_due']);
    expect(rows).toBeLessThanOrEqual(10);
  });

  it('look for a later delivery in its own chat only', async () => {
    const { workspaceId } = places.quiet;
    const earlier = { id: 1, chatId: lastQuietChat - 1, channel: 'phone-sms', orderGroup: null } as const;

    const { found, scans, rows } = await look(places.quiet, ({ db }) =>
      db.readInWorkspace(workspaceId, (tx) => hasDeliveryOfLaterGroup(tx, earlier)),
    );

    expect(found).toBe(false);
    expect(scans).toEqual(['Index Scan deliveries_of_chat']);
    expect(rows).toBeLessThanOrEqual(10);
  });

  it('measure overdue turns by their index, and not all of them', async () => {
    const { rows } = await superuser.query(
      `explain (analyze, buffers, format json) select * from overdue_turns('5 minutes', 10000, 10)`,
    );
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];

    // 100,200 turns are overdue. They are in more than 3,000 of about 80,000 blocks.
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(2_000);
    const { rows: counted } = await superuser.query(`select * from overdue_turns('5 minutes', 10000, 10)`);
    expect(counted[0]).toMatchObject({ turns: 10_000, oldest_seconds: expect.closeTo(3_600, -4) });
  });

  it('measure due messages by their index', async () => {
    const { rows } = await superuser.query(
      `explain (analyze, buffers, format json) select * from due_deliveries('5 minutes', 10000)`,
    );
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(2_000);
  });
});
