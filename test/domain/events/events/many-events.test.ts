import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventFilter } from '../../../../db/events/event-lists.js';
import { getEvent, listEvents } from '../../../../domain/events/events/stored-events.js';
import { deliverMissedEvents } from '../../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { explaining } from '../../../support/db/explained.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addRecords } from '../../../support/records/add-records.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { makeManyDeliveries } from '../../../support/webhooks/many-deliveries.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const total = 100_000;
const from = new Date(Date.now() - days(10));
const atSecond = (seconds: number) => new Date(from.getTime() + seconds * 1_000);
const stage = useWorkspace();
let superuser: pg.Client;
let toldRuleId: number;
let recordId: number;

/** Adds 100,000 events, one a second, all delivered by one rule. The oldest 20 are samples; three belong to a record. */
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  toldRuleId = (await addEventRule(stage.workspace)).id;
  await makeManyDeliveries(stage.database.superuserUrl, stage.workspace, toldRuleId, { total, from });
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
}, 120_000);
afterAll(() => superuser.end());

/** The result of a command, and the rows that PostgreSQL read for it. The writes of the command are rolled back. */
async function look<T>(command: (context: CommandContext) => Promise<T>) {
  const { workspace, database } = stage;
  const found: T[] = [];
  const explained = await explaining(
    database.appUrl,
    workspace.workspaceId,
    async (db) => found.push(await command({ ...workspace.context(), db })),
    /^select .*\b(?:events|webhook_deliveries)\b/s,
  );
  return {
    found: found[0],
    scans: explained.flatMap(({ scans }) => scans),
    rows: explained.reduce((sum, one) => sum + one.rows, 0),
  };
}

interface Shape {
  filter: () => EventFilter;
  page?: number;
  sortOrder?: 'asc' | 'desc';
  /** The maximum number of rows that may be read, in tables and indexes. */
  most: number;
  finds: number;
}

/** Rows that are read to count the total. */
const counted = 10_001;
const shapes: [string, Shape][] = [
  ['all', { filter: () => ({}), most: counted + 200, finds: 10_000 }],
  ['all, the oldest first', { filter: () => ({}), sortOrder: 'asc', most: counted + 200, finds: 10_000 }],
  ['the last page there is', { filter: () => ({}), page: 400, most: 2 * counted + 200, finds: 10_000 }],
  ['a type', { filter: () => ({ eventType: 'chat:created' }), most: counted + 200, finds: 10_000 }],
  [
    'a type of which there are few',
    { filter: () => ({ eventType: 'member:updated' }), most: 100, finds: 10 },
  ],
  ['a type of which there are none', { filter: () => ({ eventType: 'call:started' }), most: 50, finds: 0 }],
  ['samples', { filter: () => ({ isTest: true }), most: 200, finds: 20 }],
  [
    'samples of a type',
    { filter: () => ({ isTest: true, eventType: 'member:updated' }), most: 200, finds: 0 },
  ],
  [
    'a type without samples',
    { filter: () => ({ isTest: false, eventType: 'member:updated' }), most: 100, finds: 10 },
  ],
  ['a record', { filter: () => ({ dataRecordId: recordId }), most: 50, finds: 3 }],
  [
    'a record by type',
    { filter: () => ({ dataRecordId: recordId, eventType: 'chat:created' }), most: 50, finds: 3 },
  ],
  [
    'a minute',
    { filter: () => ({ createdFrom: atSecond(100), createdBefore: atSecond(160) }), most: 300, finds: 60 },
  ],
  [
    'a type in a minute',
    {
      filter: () => ({
        eventType: 'chat:created',
        createdFrom: atSecond(100),
        createdBefore: atSecond(160),
      }),
      most: 300,
      finds: 60,
    },
  ],
];

const list = ({ filter, page = 1, sortOrder = 'desc' }: Shape) =>
  look((context) => listEvents(context, filter(), { page, pageSize: 25, sortBy: 'createdAt', sortOrder }));

describe.each(['no', 'full'])('queries over 100,000 events with %s statistics', (known) => {
  beforeAll(async () => {
    if (known === 'full') await superuser.query('analyze webhook_deliveries, events');
  }, 60_000);

  it.each(shapes)('list events without reading more rows than needed: %s', async (_, shape) => {
    const { found, scans, rows } = await list(shape);

    expect(found?.total).toBe(shape.finds);
    expect(found?.items).toHaveLength(Math.min(25, shape.finds));
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(rows).toBeGreaterThanOrEqual(Math.min(25, shape.finds));
    expect(rows).toBeLessThanOrEqual(shape.most);
  });

  it('read one event without reading others', async () => {
    const [event] = (await superuser.query('select uuid from events order by id limit 1')).rows;

    const { found, rows } = await look((context) => getEvent(context, event.uuid));

    expect(found?.deliveries).toHaveLength(1);
    expect(rows).toBeLessThan(20);
  });

  /** Sets the missed times of a rule to the hours that begin at these seconds. */
  async function ruleThatMissed(id: number, ...starts: number[]): Promise<void> {
    const hours = starts.map(
      (start) => `[${atSecond(start).toISOString()},${atSecond(start + 3_600).toISOString()})`,
    );
    await superuser.query('update event_rules set missed_times = $1::tstzmultirange where id = $2', [
      `{${hours.join(',')}}`,
      id,
    ]);
  }

  it('deliver missed events without reading more events than they queue', async () => {
    const { id } = await addEventRule(stage.workspace);
    await ruleThatMissed(id, 10_000, 20_000, 50_000, 80_000);

    const some = await look((context) => deliverMissedEvents(context, id, {}, 100));
    expect(some.found).toEqual({ queued: 100, more: true });
    expect(some.rows).toBeLessThan(600);

    const all = await look((context) => deliverMissedEvents(context, id, {}));
    expect(all.found).toEqual({ queued: 10_000, more: true });
    expect(all.scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(all.rows).toBeLessThan(45_000);
  });

  it('deliver missed events reading delivered ones only within the disabled times', async () => {
    await ruleThatMissed(toldRuleId, 10_000);

    const { found, rows } = await look((context) => deliverMissedEvents(context, toldRuleId, {}));

    expect(found).toEqual({ queued: 0, more: false });
    expect(rows).toBeGreaterThan(3_600);
    expect(rows).toBeLessThan(12_000);
  });
});
