import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../db/database.js';
import type { EventFilter } from '../../../../db/events/event-lists.js';
import type {
  WebhookDeliveryFilter,
  WebhookDeliverySort,
} from '../../../../db/events/webhook-delivery-lists.js';
import { getEvent, listEvents } from '../../../../domain/events/events/stored-events.js';
import { cancelDelivery } from '../../../../domain/events/webhook-deliveries/cancel-delivery.js';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { deferAttempt } from '../../../../domain/events/webhook-deliveries/defer-attempt.js';
import { deliverMissedEvents } from '../../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import { listWebhookDeliveries } from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { explaining } from '../../../support/db/explained.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addRecords } from '../../../support/records/add-records.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { makeManyDeliveries } from '../../../support/webhooks/many-deliveries.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const total = 100_000;
const from = new Date(Date.now() - days(10));
const at = (seconds: number) => new Date(from.getTime() + seconds * 1_000);
const stage = useWorkspace();
let superuser: pg.Client;
let ruleId: number;
let recordId: number;

/**
 * Adds 100,000 events, one a second, all delivered by one rule. The oldest 20 are samples; three belong to a record.
 */
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  ruleId = (await addEventRule(stage.workspace)).id;
  await makeManyDeliveries(stage.database.superuserUrl, stage.workspace, ruleId, { total, from });
  const { id: typeId } = await addRecordType(stage.workspace, true);
  const [saved] = await addRecords(stage.workspace, typeId, [{ fieldValues: { reason: 'A visit' } }]);
  recordId = saved?.status === 'failed' || saved === undefined ? 0 : saved.record.id;
  await superuser.query(
    `update events set is_test = true where id in (select event_id from webhook_deliveries where trigger = 'test')`,
  );
  await superuser.query(
    'update events set data_record_id = $1 where id in (select id from events order by id offset 500 limit 3)',
    [recordId],
  );
}, 300_000);
afterAll(() => superuser.end());

/** The result of a command, and what PostgreSQL read for its statements on `tables`. Its writes are rolled back. */
async function look<T>(tables: RegExp, command: (context: CommandContext) => Promise<T>) {
  const { workspace, database } = stage;
  const found: T[] = [];
  const explained = await explaining(
    database.appUrl,
    workspace.workspaceId,
    async (db) => found.push(await command({ ...workspace.context(), db })),
    tables,
  );
  return {
    found: found[0],
    statements: explained.length,
    tableScans: explained.flatMap(({ scans }) => scans).filter((scan) => scan.startsWith('Seq Scan')),
    rows: explained.reduce((sum, one) => sum + one.rows, 0),
  };
}
const ofEvents = /^select .*\b(?:events|webhook_deliveries)\b/s;
const ofDeliveries = /^select .*\bwebhook_deliveries/s;
const ofAttempts = /\bwebhook_(deliveries|attempts)\b/;

interface Shape {
  title: string;
  page?: number;
  sortOrder?: 'asc' | 'desc';
  /** The maximum number of rows that may be read, in tables and indexes. */
  most: number;
  /** The total that the list reports. */
  finds: number;
}

/** Rows that are read to count the total. */
const counted = 10_001;
const all = { most: counted + 200, finds: 10_000 };
const lastPage = { page: 400, most: 2 * counted + 200, finds: 10_000 };
const minute = { createdFrom: at(100), createdBefore: at(160) };
const hour = { createdFrom: at(100), createdBefore: at(3_700) };
const [created, updated] = [{ eventType: 'chat:created' }, { eventType: 'member:updated' }];
const failed = { status: 'failed' } as const;

const eventLists: (Shape & { filter?: EventFilter; ofRecord?: true })[] = [
  { title: 'all', ...all },
  { title: 'all, the oldest first', sortOrder: 'asc', ...all },
  { title: 'the last page there is', ...lastPage },
  { title: 'a type', filter: created, ...all },
  { title: 'a type of which there are few', filter: updated, most: 100, finds: 10 },
  { title: 'a type of which there are none', filter: { eventType: 'call:started' }, most: 50, finds: 0 },
  { title: 'samples', filter: { isTest: true }, most: 200, finds: 20 },
  { title: 'samples of a type', filter: { isTest: true, ...updated }, most: 200, finds: 0 },
  { title: 'a type without samples', filter: { isTest: false, ...updated }, most: 100, finds: 10 },
  { title: 'a record', ofRecord: true, most: 50, finds: 3 },
  { title: 'a record by type', ofRecord: true, filter: created, most: 50, finds: 3 },
  { title: 'a minute', filter: minute, most: 300, finds: 60 },
  { title: 'a type in a minute', filter: { ...created, ...minute }, most: 300, finds: 60 },
];
const deliveryLists: (Shape & { filter?: WebhookDeliveryFilter; sortBy?: WebhookDeliverySort })[] = [
  { title: 'all', ...all },
  { title: 'all, the oldest first', sortOrder: 'asc', ...all },
  { title: 'the last page there is', ...lastPage },
  { title: 'the last completed', sortBy: 'completedAt', ...all },
  { title: 'what was delivered', filter: { status: 'delivered' }, ...all },
  { title: 'what failed', filter: failed, most: 2_200, finds: 999 },
  { title: 'what failed, by completion', filter: failed, sortBy: 'completedAt', most: 2_200, finds: 999 },
  { title: 'what is pending', filter: { status: 'pending' }, most: 100, finds: 5 },
  { title: 'what was called off', filter: { status: 'cancelled' }, most: 100, finds: 0 },
  { title: 'tests, which are the oldest', filter: { trigger: 'test' }, most: 200, finds: 20 },
  { title: 'redeliveries', filter: { trigger: 'redelivery' }, most: 500, finds: 100 },
  { title: 'redeliveries that failed', filter: { ...failed, trigger: 'redelivery' }, most: 2_500, finds: 99 },
  { title: 'a minute', filter: minute, most: 300, finds: 60 },
  { title: 'what failed in an hour', filter: { ...failed, ...hour }, most: 300, finds: 36 },
];

/** Lists a page, and expects that it finds what there is, by indexes, and reads few rows. */
async function expectFewRows(
  tables: RegExp,
  { most, finds }: Pick<Shape, 'most' | 'finds'>,
  list: (context: CommandContext) => Promise<{ items: unknown[]; total: number }>,
): Promise<void> {
  const { found, tableScans, rows } = await look(tables, list);

  expect(found?.total).toBe(finds);
  expect(found?.items).toHaveLength(Math.min(25, finds));
  expect(tableScans).toEqual([]);
  expect(rows).toBeGreaterThanOrEqual(Math.min(25, finds));
  expect(rows).toBeLessThanOrEqual(most);
}

/** Sets the missed times of a rule to the hours that begin at these seconds. */
async function setMissedHours(id: number, ...starts: number[]): Promise<void> {
  const hours = starts.map((start) => `[${at(start).toISOString()},${at(start + 3_600).toISOString()})`);
  await superuser.query('update event_rules set missed_times = $1::tstzmultirange where id = $2', [
    `{${hours.join(',')}}`,
    id,
  ]);
}

describe.each(['no', 'full'])('queries over 100,000 events and deliveries with %s statistics', (known) => {
  beforeAll(async () => {
    if (known === 'full') await superuser.query('analyze webhook_deliveries, events');
  }, 300_000);
  const newestFirst = { pageSize: 25, page: 1, sortOrder: 'desc', sortBy: 'createdAt' } as const;

  it.each(eventLists)('list events without reading more rows than needed: $title', async (shape) => {
    const { filter, ofRecord, most, finds, title: _, ...page } = shape;
    const wanted = { ...filter, ...(ofRecord ? { dataRecordId: recordId } : {}) };
    await expectFewRows(ofEvents, { most, finds }, (context) =>
      listEvents(context, wanted, { ...newestFirst, ...page }),
    );
  });

  it.each(deliveryLists)('list deliveries by reading few rows: $title', async (shape) => {
    const { filter = {}, most, finds, title: _, ...page } = shape;
    await expectFewRows(ofDeliveries, { most, finds }, (context) =>
      listWebhookDeliveries(context, ruleId, filter, { ...newestFirst, ...page }),
    );
  });

  it('read one event, or its deliveries by a rule, without reading others', async () => {
    const [{ uuid }] = (await superuser.query('select uuid from events order by id limit 1')).rows;

    const event = await look(ofEvents, (context) => getEvent(context, uuid));
    expect(event.found?.deliveries).toHaveLength(1);
    expect(event.rows).toBeLessThan(20);
    const listed = await look(ofDeliveries, (context) =>
      listWebhookDeliveries(context, ruleId, { eventId: uuid }, newestFirst),
    );
    expect(listed.found?.items).toHaveLength(1);
    expect(listed.rows).toBeLessThan(20);
  });

  it('deliver missed events without reading more events than they queue', async () => {
    const { id } = await addEventRule(stage.workspace);
    await setMissedHours(id, 10_000, 20_000, 50_000, 80_000);

    const some = await look(ofEvents, (context) => deliverMissedEvents(context, id, {}, 100));
    expect(some.found).toEqual({ queued: 100, more: true });
    expect(some.rows).toBeLessThan(600);

    const many = await look(ofEvents, (context) => deliverMissedEvents(context, id, {}));
    expect(many.found).toEqual({ queued: 10_000, more: true });
    expect(many.tableScans).toEqual([]);
    expect(many.rows).toBeLessThan(45_000);
  });

  it('deliver missed events reading delivered ones only within the disabled times', async () => {
    await setMissedHours(ruleId, 10_000);

    const { found, rows } = await look(ofEvents, (context) => deliverMissedEvents(context, ruleId, {}));

    expect(found).toEqual({ queued: 0, more: false });
    expect(rows).toBeGreaterThan(3_600);
    expect(rows).toBeLessThan(12_000);
  });

  it.each([
    { title: 'all failed deliveries', most: undefined, redelivered: 999, more: false, rowsBelow: 4_000 },
    { title: 'a hundred of them', most: 100, redelivered: 100, more: true, rowsBelow: 400 },
  ])('read few other deliveries to deliver again: $title', async ({ most, redelivered, more, rowsBelow }) => {
    const { found, rows } = await look(ofDeliveries, (context) =>
      redeliverFailedEvents(context, ruleId, { since: from }, most),
    );

    expect(found).toEqual({ redelivered, more });
    expect(rows).toBeLessThan(rowsBelow);
  });
});

it('claimAttempt, deferAttempt and cancelDelivery read no other waiting deliveries', async () => {
  await superuser.query(
    'analyze webhook_deliveries, webhook_attempts, events, event_rules, webhook_endpoints',
  );
  // Ten thousand wait for a receiver that hangs, while the statistics of PostgreSQL say five.
  await superuser.query(
    `update webhook_deliveries set status = 'pending', completed_at = null, next_attempt_at = created_at
     where id > (select max(id) - 10000 from webhook_deliveries)`,
  );
  const { rows } = await superuser.query('select max(id) as id from webhook_deliveries');
  const ref = { workspaceId: stage.workspace.workspaceId, deliveryId: Number(rows[0].id), ruleId };
  const context = (db: Database) => ({ db, clock: systemClock, encryption: testEncryption });

  for (const act of [claimAttempt, deferAttempt, cancelDelivery]) {
    const looked = await look<unknown>(ofAttempts, ({ db }) => act(context(db), ref));
    expect(looked.statements).toBeGreaterThan(0);
    expect(looked.rows).toBeLessThan(50);
  }
});
