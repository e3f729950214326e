import { beforeEach, describe, expect, it } from 'vitest';
import { subscribedEventTypes } from '../../../../db/events/events.js';
import { takeOutboxMark } from '../../../../db/outbox.js';
import { withSavepoint } from '../../../../db/savepoint.js';
import type { Tx } from '../../../../db/tx.js';
import { type EventType, eventTypes } from '../../../../domain/kernel/events/event-types.js';
import { eventSchemas } from '../../../../domain/kernel/events/payloads.js';
import { samplePayloads } from '../../../../domain/kernel/events/sample-payloads.js';
import {
  type NewEvent,
  writeEvents,
  writeSampleEvent,
} from '../../../../domain/kernel/events/write-events.js';
import { checkBySchema } from '../../../../domain/lib/json-schema.js';
import { createDataRecord } from '../../../../domain/records/data-records/create-data-record.js';
import { deleteDataRecord } from '../../../../domain/records/data-records/delete-data-record.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { addEventRule, subscribeToAllEvents } from '../../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

let workspace: TestWorkspace;
const now = new Date('2030-01-31T12:00:00.000Z');

const testDatabase = useDatabase();
beforeEach(async () => {
  workspace = await createWorkspace(testDatabase.database);
});

const chatCreated: NewEvent = { eventType: 'chat:created', payload: samplePayloads['chat:created'] };
const memberUpdated: NewEvent = { eventType: 'member:updated', payload: samplePayloads['member:updated'] };

const within = <T>(work: (tx: Tx) => Promise<T>, { database, workspaceId } = workspace) =>
  database.inWorkspace(workspaceId, work);
const write = (...events: NewEvent[]) => within((tx) => writeEvents(tx, events, now));
const rows = (table: string, ...columns: string[]) => within((tx) => tx(table).select(columns).orderBy('id'));
const deliveries = () => rows('webhook_deliveries', 'event_rule_id', 'event_id', 'event_type');
const addRule = async (eventType: EventType, more: { enabled?: boolean; deletedAt?: Date } = {}) =>
  (await addEventRule(workspace, { eventType, ...more })).id;

describe('writeEvents with an event type that no rule has', () => {
  const count = async () => (await rows('events', 'id')).length;

  it('stores nothing', async () => {
    await addRule('member:updated');
    await addRule('chat:created', { deletedAt: now });

    await write(chatCreated);

    expect(await count()).toBe(0);
  });

  it('stores events from the first rule of the type on, even a disabled one', async () => {
    await write(chatCreated);
    await addRule('chat:created', { enabled: false });
    await write(chatCreated);

    expect(await count()).toBe(1);
  });

  it('looks the types of the rules up again after a failed savepoint', async () => {
    await addRule('chat:created');

    await within(async (tx) => {
      const failed = withSavepoint(tx, () => Promise.all([tx.raw('select 1 / 0'), subscribedEventTypes(tx)]));
      await expect(failed).rejects.toThrow('division by zero');
      await writeEvents(tx, [chatCreated], now);
    });

    expect(await count()).toBe(1);
  });
});

describe('writeEvents', () => {
  it('adds a delivery that is due at once and a run with ids for each matching rule', async () => {
    const ruleIds = [await addRule('chat:created'), await addRule('chat:created')];

    await write(chatCreated);

    const [event] = await rows('events', 'id');
    const made = await rows('webhook_deliveries');
    expect(made).toMatchObject(
      ruleIds.map((ruleId) => ({
        event_rule_id: ruleId,
        event_id: event.id,
        event_type: 'chat:created',
        trigger: 'event',
        status: 'pending',
        attempt_count: 0,
        next_attempt_at: now,
        created_at: now,
      })),
    );
    const { workspaceId, workspaceUuid } = workspace;
    expect(await rows('outbox', 'run_type', 'subject', 'action', 'input')).toEqual(
      made.map(({ id, uuid, event_rule_id }) => ({
        run_type: 'deliverWebhook',
        subject: uuid,
        action: 'start',
        input: {
          deliveryId: id,
          ruleId: event_rule_id,
          eventType: 'chat:created',
          workspaceId,
          workspaceUuid,
        },
      })),
    );
  });

  it('matches only rules of the type of the event that are enabled and not deleted', async () => {
    await addRule('chat:created', { enabled: false });
    await addRule('chat:created', { deletedAt: now });
    await addRule('call:started');
    const wanted = await addRule('chat:created');

    await write(chatCreated, memberUpdated);

    expect(await deliveries()).toMatchObject([{ event_rule_id: wanted, event_type: 'chat:created' }]);
  });

  it('matches only rules of the workspace of the event', async () => {
    const other = await createWorkspace(testDatabase.database);
    await addEventRule(other, { eventType: 'chat:created' });

    await write(chatCreated);

    expect(await deliveries()).toEqual([]);
    expect(await within((tx) => tx('webhook_deliveries').select(), other)).toEqual([]);
  });

  it('matches each of several events by its own type', async () => {
    const chatRule = await addRule('chat:created');
    const memberRule = await addRule('member:updated');

    await write(chatCreated, memberUpdated, chatCreated);

    const events = await rows('events', 'id');
    expect(await deliveries()).toEqual(
      [chatRule, memberRule, chatRule].map((ruleId, index) => ({
        event_rule_id: ruleId,
        event_id: events[index].id,
        event_type: ruleId === chatRule ? 'chat:created' : 'member:updated',
      })),
    );
  });

  it('stores no event, delivery or outbox entry when the transaction is rolled back', async () => {
    await addRule('chat:created');
    const failing = within(async (tx) => {
      await writeEvents(tx, [chatCreated], now);
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');

    for (const table of ['events', 'webhook_deliveries', 'outbox']) expect(await rows(table)).toEqual([]);
  });

  it.each([
    ['wakes', true],
    ['does not wake', false],
  ])('%s the relay when a matching rule exists: %s', async (_, matching) => {
    if (matching) await addRule('chat:created');

    const marked = await within(async (tx) => {
      await writeEvents(tx, [chatCreated], now);
      return takeOutboxMark(tx);
    });

    expect(marked).toBe(matching);
  });
});

it.each(Object.keys(eventTypes) as EventType[])(
  'a rule for %s has its events delivered',
  async (eventType) => {
    const ruleId = await addRule(eventType);

    await write({ eventType, payload: samplePayloads[eventType] } as NewEvent);

    expect(await deliveries()).toMatchObject([{ event_rule_id: ruleId, event_type: eventType }]);
    expect(await rows('outbox', 'run_type', 'input')).toMatchObject([
      { run_type: 'deliverWebhook', input: { ruleId, eventType } },
    ]);
  },
);

describe('writeEvents while rules change', () => {
  it('does not wait for an uncommitted change, and uses the rules as they were', async () => {
    const ruleId = await addRule('chat:created');

    await within(async (tx) => {
      await tx('event_rules')
        .where({ id: ruleId })
        .update({ enabled: false, disabled_at: now, disabled_reason: 'by_member' });
      await tx('event_rules').insert({
        workspace_id: workspace.workspaceId,
        name: 'Another',
        event_type: 'chat:created',
        action_type: 'webhook:send',
        webhook_endpoint_id: tx('event_rules').select('webhook_endpoint_id').where({ id: ruleId }),
      });
      await within(async (another) => {
        await another.raw("set local lock_timeout = '3s'");
        await writeEvents(another, [chatCreated], now);
      });
    });

    expect(await deliveries()).toMatchObject([{ event_rule_id: ruleId }]);
  });

  it('uses the committed rules for fifty later events', async () => {
    const ruleId = await addRule('chat:created');
    await Promise.all(Array.from({ length: 25 }, () => write(chatCreated)));
    await within((tx) => tx('event_rules').where({ id: ruleId }).update({ deleted_at: now }));
    await Promise.all(Array.from({ length: 25 }, () => write(chatCreated)));

    expect(await rows('events', 'id')).toHaveLength(25);
    expect(await deliveries()).toHaveLength(25);
  });
});

it('writeEvents adds the deliveries of many events and rules in one statement', async () => {
  const ruleIds = [await addRule('member:updated'), await addRule('member:updated')];

  await write(...Array.from({ length: 1_000 }, () => memberUpdated));

  const made = await rows('webhook_deliveries', 'event_id', 'event_rule_id');
  const events = await rows('events', 'id');
  expect(made).toEqual(
    events.flatMap(({ id }) => ruleIds.map((ruleId) => ({ event_id: id, event_rule_id: ruleId }))),
  );
  expect(await rows('outbox', 'id')).toHaveLength(2_000);
});

describe('the body of an event', () => {
  beforeEach(() => subscribeToAllEvents(workspace));
  const stored = (eventType: string): Promise<{ uuid: string; body: string }[]> =>
    within((tx) => tx('events').select('uuid', 'body').where({ event_type: eventType }).orderBy('id'));

  it('has the common fields first and the fields of its type at the top level', async () => {
    await write(chatCreated);

    const [event] = await stored('chat:created');
    const { workspaceUuid } = workspace;
    const head = { event: 'chat:created', id: event?.uuid, createdAt: now.toISOString(), workspaceUuid };
    expect(event?.body).toBe(JSON.stringify({ ...head, ...chatCreated.payload }));
  });

  it('keeps any text that people wrote unchanged', async () => {
    const texts = [
      '%s %I %',
      '"',
      '\\',
      '\n\t',
      '{a,b}',
      'NULL',
      '',
      'ábč 🌱 שלום',
      "'; drop table events; --",
    ];
    const { member } = samplePayloads['member:updated'];
    await write(
      ...texts.map(
        (name): NewEvent => ({ eventType: 'member:updated', payload: { member: { ...member, name } } }),
      ),
    );

    const events = await stored('member:updated');
    expect(events.map(({ body }) => JSON.parse(body).member.name)).toEqual(texts);
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(texts.length);
  });

  it('is deleted with the data record that it describes', async () => {
    const context = workspace.context();
    const visit = { name: 'Visit', slug: 'visit', isCollection: true, fields: [] };
    const type = await createDataType(context, visit);
    const kept = await createDataRecord(context, type.id, { fieldValues: {} });
    const gone = await createDataRecord(context, type.id, { fieldValues: {} });

    await deleteDataRecord(context, type.id, gone.id);

    const left = await stored('data_record:created');
    expect(left.map(({ body }) => JSON.parse(body).dataRecord.id)).toEqual([kept.id]);
  });
});

it.each(Object.keys(eventTypes) as EventType[])(
  'writeSampleEvent writes for %s a complete event that is marked as a test and matches no rule',
  async (eventType) => {
    await addRule(eventType);

    const body = await within(async (tx) => {
      const id = await writeSampleEvent(tx, eventType, now);
      return JSON.parse((await tx('events').select('body').where({ id }).first()).body);
    });

    const { workspaceUuid } = workspace;
    const createdAt = now.toISOString();
    expect(body).toMatchObject({ event: eventType, createdAt, workspaceUuid, test: true });
    expect(checkBySchema({ ...eventSchemas[eventType] }, body)).toEqual([]);
    expect(await deliveries()).toEqual([]);
  },
);
