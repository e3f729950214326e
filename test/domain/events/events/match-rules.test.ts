import { beforeEach, describe, expect, it } from 'vitest';
import { takeOutboxMark } from '../../../../db/outbox.js';
import type { EventType } from '../../../../domain/events/events/event-types.js';
import { samplePayloads } from '../../../../domain/events/events/sample-payloads.js';
import { type NewEvent, writeEvents } from '../../../../domain/events/events/write-events.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

let workspace: TestWorkspace;
const now = new Date('2030-01-31T12:00:00.000Z');

const testDatabase = useDatabase();
beforeEach(async () => {
  workspace = await createWorkspace(testDatabase.database);
});

const chatCreated: NewEvent = { eventType: 'chat:created', payload: samplePayloads['chat:created'] };
const memberUpdated: NewEvent = { eventType: 'member:updated', payload: samplePayloads['member:updated'] };

const write = (...events: NewEvent[]) =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) => writeEvents(tx, events, now));
const rows = (table: string, ...columns: string[]) =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) => tx(table).select(columns).orderBy('id'));
const deliveries = () => rows('webhook_deliveries', 'event_rule_id', 'event_id', 'event_type');

describe('writeEvents', () => {
  it('adds a delivery that is due at once and a run with ids for each matching rule', async () => {
    const ruleIds = [
      (await addEventRule(workspace, { eventType: 'chat:created' })).id,
      (await addEventRule(workspace, { eventType: 'chat:created' })).id,
    ];

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
    await addEventRule(workspace, { eventType: 'chat:created', enabled: false });
    await addEventRule(workspace, { eventType: 'chat:created', deletedAt: now });
    await addEventRule(workspace, { eventType: 'call:started' });
    const wanted = (await addEventRule(workspace, { eventType: 'chat:created' })).id;

    await write(chatCreated, memberUpdated);

    expect(await deliveries()).toMatchObject([{ event_rule_id: wanted, event_type: 'chat:created' }]);
  });

  it('matches only rules of the workspace of the event', async () => {
    const other = await createWorkspace(testDatabase.database);
    await addEventRule(other, { eventType: 'chat:created' });

    await write(chatCreated);

    expect(await deliveries()).toEqual([]);
    const theirs = await other.database.inWorkspace(other.workspaceId, (tx) =>
      tx('webhook_deliveries').select(),
    );
    expect(theirs).toEqual([]);
  });

  it('matches each of several events by its own type', async () => {
    const chatRule = (await addEventRule(workspace, { eventType: 'chat:created' })).id;
    const memberRule = (await addEventRule(workspace, { eventType: 'member:updated' })).id;

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
    await addEventRule(workspace, { eventType: 'chat:created' });
    const failing = workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await writeEvents(tx, [chatCreated], now);
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');

    expect(await Promise.all([rows('events'), rows('webhook_deliveries'), rows('outbox')])).toEqual([
      [],
      [],
      [],
    ]);
  });

  it.each([
    ['wakes', true],
    ['does not wake', false],
  ])('%s the relay when a matching rule exists: %s', async (_, matching) => {
    if (matching) await addEventRule(workspace, { eventType: 'chat:created' });

    const marked = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await writeEvents(tx, [chatCreated], now);
      return takeOutboxMark(tx);
    });

    expect(marked).toBe(matching);
  });
});

describe('writeEvents while rules change', () => {
  it('does not wait for an uncommitted change, and uses the rules as they were', async () => {
    const ruleId = (await addEventRule(workspace, { eventType: 'chat:created' })).id;

    await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
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
      await workspace.database.inWorkspace(workspace.workspaceId, async (another) => {
        await another.raw("set local lock_timeout = '3s'");
        await writeEvents(another, [chatCreated], now);
      });
    });

    expect(await deliveries()).toMatchObject([{ event_rule_id: ruleId }]);
  });

  it('uses the committed rules for fifty later events', async () => {
    const ruleId = (await addEventRule(workspace, { eventType: 'chat:created' })).id;
    await Promise.all(Array.from({ length: 25 }, () => write(chatCreated)));
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('event_rules').where({ id: ruleId }).update({ deleted_at: now }),
    );
    await Promise.all(Array.from({ length: 25 }, () => write(chatCreated)));

    expect(await rows('events', 'id')).toHaveLength(25);
    expect(await deliveries()).toHaveLength(25);
  });
});

it('writeEvents adds the deliveries of many events and rules in one statement', async () => {
  const eventType: EventType = 'member:updated';
  const ruleIds = [
    (await addEventRule(workspace, { eventType })).id,
    (await addEventRule(workspace, { eventType })).id,
  ];

  await write(...Array.from({ length: 1_000 }, () => memberUpdated));

  const made = await rows('webhook_deliveries', 'event_id', 'event_rule_id');
  const events = await rows('events', 'id');
  expect(made).toEqual(
    events.flatMap(({ id }) => ruleIds.map((ruleId) => ({ event_id: id, event_rule_id: ruleId }))),
  );
  expect(await rows('outbox', 'id')).toHaveLength(2_000);
});
