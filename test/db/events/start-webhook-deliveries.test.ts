import { beforeEach, describe, expect, it } from 'vitest';
import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import { takeOutboxMark } from '../../../db/outbox.js';
import type { Tx } from '../../../db/tx.js';
import { writeSampleEvent } from '../../../domain/kernel/events/write-events.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { useDatabase } from '../../support/db/use-database.js';
import { addEventRule, subscribeToAllEvents } from '../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';

let workspace: TestWorkspace;
let eventRuleId: number;
const now = new Date('2030-01-31T12:00:00.000Z');

const testDatabase = useDatabase();
beforeEach(async () => {
  workspace = await createWorkspace(testDatabase.database);
  await subscribeToAllEvents(workspace);
  eventRuleId = (await addEventRule(workspace, { eventType: 'chat:created', enabled: false })).id;
});

const inWorkspace = <T>(work: (tx: Tx) => Promise<T>, place = workspace) =>
  place.database.inWorkspace(place.workspaceId, work);
const start = (eventIds: readonly number[]) =>
  inWorkspace((tx) =>
    startWebhookDeliveries(tx, {
      eventRuleId,
      eventIds,
      trigger: 'redelivery',
      requestedByMemberId: workspace.admin.memberId,
      now,
    }),
  );
const sampleEvent = (place = workspace) =>
  inWorkspace((tx) => writeSampleEvent(tx, 'chat:created', now), place);

describe('startWebhookDeliveries', () => {
  it('adds a new delivery with its run for each event, whether or not the rule is enabled', async () => {
    const eventIds = [await sampleEvent(), await sampleEvent()];

    const started = [...(await start(eventIds)), ...(await start(eventIds))];

    const { workspaceId, workspaceUuid } = workspace;
    expect(started.map(({ eventId }) => eventId)).toEqual([...eventIds, ...eventIds]);
    expect(await inWorkspace((tx) => tx('webhook_deliveries').orderBy('id').select())).toMatchObject(
      started.map(({ id, uuid, eventId }) => ({
        id,
        uuid,
        event_id: eventId,
        event_rule_id: eventRuleId,
        event_type: 'chat:created',
        trigger: 'redelivery',
        requested_by_member_id: workspace.admin.memberId,
        status: 'pending',
        next_attempt_at: now,
        created_at: now,
      })),
    );
    const entries = await inWorkspace((tx) =>
      tx('outbox').orderBy('id').select('run_type', 'subject', 'action', 'input'),
    );
    expect(entries).toEqual(
      started.map(({ id, uuid }) => ({
        run_type: 'deliverWebhook',
        subject: uuid,
        action: 'start',
        input: { deliveryId: id, ruleId: eventRuleId, eventType: 'chat:created', workspaceId, workspaceUuid },
      })),
    );
  });

  it('adds the delivery of a missed event once per rule', async () => {
    const eventIds = [await sampleEvent(), await sampleEvent()];
    const startMissed = (ids: readonly number[]) =>
      inWorkspace((tx) =>
        startWebhookDeliveries(tx, {
          eventRuleId,
          eventIds: ids,
          trigger: 'missed',
          requestedByMemberId: null,
          now,
        }),
      );
    await start(eventIds);

    const [first] = await startMissed(eventIds.slice(0, 1));
    const second = await startMissed(eventIds);

    expect(first?.eventId).toBe(eventIds[0]);
    expect(second.map(({ eventId }) => eventId)).toEqual(eventIds.slice(1));
    const runs = await inWorkspace((tx) => tx('outbox').pluck('subject'));
    expect(runs).toHaveLength(4);
    expect(runs.slice(2)).toEqual([first?.uuid, second[0]?.uuid]);
  });

  it('wakes the relay only when it adds a delivery', async () => {
    const eventId = await sampleEvent();
    const wakes = (eventIds: readonly number[]) =>
      inWorkspace(async (tx) => {
        await startWebhookDeliveries(tx, {
          eventRuleId,
          eventIds,
          trigger: 'test',
          requestedByMemberId: null,
          now,
        });
        return takeOutboxMark(tx);
      });

    expect([await wakes([eventId]), await wakes([])]).toEqual([true, false]);
  });

  it('adds no delivery of a missing event or an event of another workspace', async () => {
    const other = await createWorkspace(testDatabase.database);

    expect(await start([await sampleEvent(other), Number.MAX_SAFE_INTEGER])).toEqual([]);
    expect(await inWorkspace((tx) => tx('outbox').select())).toEqual([]);
  });

  it('adds no delivery of an event whose data record is being deleted', async () => {
    const type = await createDataType(workspace.context(), {
      name: 'Visit',
      slug: 'visit',
      isCollection: true,
      fields: [],
    });
    const [gone, kept] = [
      await createDataRecord(workspace.context(), type.id, { fieldValues: {} }),
      await createDataRecord(workspace.context(), type.id, { fieldValues: {} }),
    ];
    const eventsOf = ({ id }: { id: number }) =>
      inWorkspace((tx) => tx('events').where({ data_record_id: id }).pluck('id'));
    const ofKept = await eventsOf(kept);
    const eventIds = [...(await eventsOf(gone)), ...ofKept];

    const starting = await inWorkspace(async (tx) => {
      await tx('data_records').where({ id: gone.id }).delete();
      const meanwhile = start(eventIds);
      await whenWaitedFor(tx);
      return { meanwhile };
    });

    const started = await starting.meanwhile;
    expect(started.map(({ eventId }) => eventId)).toEqual(ofKept);
  });
});
