import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  WebhookDeliveryFilter,
  WebhookDeliverySort,
} from '../../../../db/events/webhook-delivery-lists.js';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import { listWebhookDeliveries } from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { explaining } from '../../../support/db/explained.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { makeManyDeliveries } from '../../../support/webhooks/many-deliveries.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const total = 100_000;
const from = new Date('2026-01-01T00:00:00Z');
const stage = useWorkspace();
let superuser: pg.Client;
let ruleId: number;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  ruleId = (await addEventRule(stage.workspace)).id;
  await makeManyDeliveries(stage.database.superuserUrl, stage.workspace, ruleId, { total, from });
}, 120_000);
afterAll(() => superuser.end());

interface Shape {
  filter: WebhookDeliveryFilter;
  sortBy?: WebhookDeliverySort;
  sortOrder?: 'asc' | 'desc';
  page?: number;
  /** The maximum number of rows that may be read, in tables and indexes. */
  most: number;
  /** The total that the list reports. */
  finds: number;
}

/** Counting up to 10,001 rows is a part of `most`. */
const counted = 10_001;
const after = (seconds: number) => new Date(from.getTime() + seconds * 1_000);

const shapes: [string, Shape][] = [
  ['all', { filter: {}, most: counted + 200, finds: 10_000 }],
  ['all, the oldest first', { filter: {}, sortOrder: 'asc', most: counted + 200, finds: 10_000 }],
  ['the last page there is', { filter: {}, page: 400, most: 2 * counted + 200, finds: 10_000 }],
  ['the last completed', { filter: {}, sortBy: 'completedAt', most: counted + 200, finds: 10_000 }],
  ['what was delivered', { filter: { status: 'delivered' }, most: counted + 200, finds: 10_000 }],
  ['what failed', { filter: { status: 'failed' }, most: 2_200, finds: 999 }],
  [
    'what failed, by completion',
    { filter: { status: 'failed' }, sortBy: 'completedAt', most: 2_200, finds: 999 },
  ],
  ['what is pending', { filter: { status: 'pending' }, most: 100, finds: 5 }],
  ['what was called off', { filter: { status: 'cancelled' }, most: 100, finds: 0 }],
  ['tests, which are the oldest', { filter: { trigger: 'test' }, most: 200, finds: 20 }],
  ['redeliveries', { filter: { trigger: 'redelivery' }, most: 500, finds: 100 }],
  [
    'redeliveries that failed',
    { filter: { trigger: 'redelivery', status: 'failed' }, most: 2_500, finds: 99 },
  ],
  ['a minute', { filter: { createdFrom: after(100), createdBefore: after(160) }, most: 300, finds: 60 }],
  [
    'what failed in an hour',
    {
      filter: { status: 'failed', createdFrom: after(100), createdBefore: after(3_700) },
      most: 300,
      finds: 36,
    },
  ],
];

/** The result of a command, and what PostgreSQL read for it. The writes of the command are rolled back. */
async function look<T>(command: (context: CommandContext) => Promise<T>) {
  const { workspace, database } = stage;
  const found: T[] = [];
  const explained = await explaining(
    database.appUrl,
    workspace.workspaceId,
    async (db) => found.push(await command({ ...workspace.context(), db })),
    /^select .*\bwebhook_deliveries/s,
  );
  return {
    found: found[0],
    scans: explained.flatMap(({ scans }) => scans),
    rows: explained.reduce((sum, one) => sum + one.rows, 0),
  };
}

const list = ({
  filter,
  sortBy = 'createdAt',
  sortOrder = 'desc',
  page = 1,
}: Omit<Shape, 'most' | 'finds'>) =>
  look((context) =>
    listWebhookDeliveries(context, ruleId, filter, { page, pageSize: 25, sortBy, sortOrder }),
  );

describe.each(['nothing', 'everything'])('queries over 100,000 deliveries, %s analysed', (known) => {
  beforeAll(async () => {
    if (known === 'everything') await superuser.query('analyze webhook_deliveries, events');
  }, 60_000);

  it.each(shapes)('list deliveries by reading few rows: %s', async (_, { most, finds, ...shape }) => {
    const { found, scans, rows } = await list(shape);

    expect(found?.total).toBe(finds);
    expect(found?.items).toHaveLength(Math.min(25, finds));
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(rows).toBeGreaterThanOrEqual(Math.min(25, finds));
    expect(rows).toBeLessThanOrEqual(most);
  });

  it('read only the deliveries of the given event', async () => {
    const [event] = (await superuser.query('select uuid from events order by id limit 1')).rows;

    const { found, rows } = await list({ filter: { eventId: event.uuid } });

    expect(found?.items).toHaveLength(1);
    expect(rows).toBeLessThan(20);
  });

  it('read only failed deliveries and their events to deliver them again', async () => {
    const { found, rows } = await look((context) => redeliverFailedEvents(context, ruleId, { since: from }));

    expect(found).toEqual({ redelivered: 999, more: false });
    expect(rows).toBeLessThan(4_000);
  });

  it('read only as many deliveries as they deliver again', async () => {
    const { found, rows } = await look((context) =>
      redeliverFailedEvents(context, ruleId, { since: from }, 100),
    );

    expect(found).toEqual({ redelivered: 100, more: true });
    expect(rows).toBeLessThan(400);
  });
});
