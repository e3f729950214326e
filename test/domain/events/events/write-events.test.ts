import { beforeAll, describe, expect, it } from 'vitest';
import { subscribedEventTypes } from '../../../../db/events/events.js';
import { withSavepoint } from '../../../../db/savepoint.js';
import { samplePayloads } from '../../../../domain/events/events/sample-payloads.js';
import { type NewEvent, writeEvents } from '../../../../domain/events/events/write-events.js';
import { createDataRecord } from '../../../../domain/records/data-records/create-data-record.js';
import { deleteDataRecord } from '../../../../domain/records/data-records/delete-data-record.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { addEventRule, subscribeToAllEvents } from '../../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const now = new Date('2030-01-31T12:00:00.000Z');

const { workspace } = useWorkspace();

beforeAll(async () => {
  await subscribeToAllEvents(workspace);
});

const write = (events: readonly NewEvent[], { failing = false } = {}) =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    await writeEvents(tx, events, now);
    if (failing) throw new Error('later');
  });
const stored = (eventType: string): Promise<{ uuid: string; body: string }[]> =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('events').select('uuid', 'body').where({ event_type: eventType }).orderBy('id'),
  );

describe('writeEvents with an event type that no rule has', () => {
  const count = (place: TestWorkspace) =>
    place.database.inWorkspace(place.workspaceId, async (tx) => (await tx('events').select('id')).length);
  const writeTo = (place: TestWorkspace) =>
    place.database.inWorkspace(place.workspaceId, (tx) =>
      writeEvents(tx, [{ eventType: 'chat:created', payload: samplePayloads['chat:created'] }], now),
    );

  it('stores nothing', async () => {
    const place = await createWorkspace(workspace.database);
    await addEventRule(place, { eventType: 'member:updated' });
    await addEventRule(place, { eventType: 'chat:created', deletedAt: now });

    await writeTo(place);

    expect(await count(place)).toBe(0);
  });

  it('stores events from the first rule of the type on, even a disabled one', async () => {
    const place = await createWorkspace(workspace.database);
    await writeTo(place);
    await addEventRule(place, { eventType: 'chat:created', enabled: false });
    await writeTo(place);

    expect(await count(place)).toBe(1);
  });

  it('looks the types of the rules up again after a failed savepoint', async () => {
    const place = await createWorkspace(workspace.database);
    await addEventRule(place, { eventType: 'chat:created' });

    await place.database.inWorkspace(place.workspaceId, async (tx) => {
      const failed = withSavepoint(tx, () => Promise.all([tx.raw('select 1 / 0'), subscribedEventTypes(tx)]));
      await expect(failed).rejects.toThrow('division by zero');
      await writeEvents(tx, [{ eventType: 'chat:created', payload: samplePayloads['chat:created'] }], now);
    });

    expect(await count(place)).toBe(1);
  });
});

describe('the body of an event', () => {
  it('has the common fields first and the fields of its type at the top level', async () => {
    const payload = samplePayloads['chat:created'];
    await write([{ eventType: 'chat:created', payload }]);

    const [event] = await stored('chat:created');
    const { workspaceUuid } = workspace;
    const head = { event: 'chat:created', id: event?.uuid, createdAt: now.toISOString(), workspaceUuid };
    expect(event?.body).toBe(JSON.stringify({ ...head, ...payload }));
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
      texts.map((name) => ({ eventType: 'member:updated', payload: { member: { ...member, name } } })),
    );

    const events = await stored('member:updated');
    expect(events.map(({ body }) => JSON.parse(body).member.name)).toEqual(texts);
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(texts.length);
  });

  it('is not stored when the transaction is rolled back', async () => {
    const payload = samplePayloads['call:started'];
    await expect(write([{ eventType: 'call:started', payload }], { failing: true })).rejects.toThrow('later');

    expect(await stored('call:started')).toEqual([]);
  });

  it('is deleted with the data record that it describes', async () => {
    const context = workspace.context();
    const type = await createDataType(context, {
      name: 'Visit',
      slug: 'visit',
      isCollection: true,
      fields: [],
    });
    const kept = await createDataRecord(context, type.id, { fieldValues: {} });
    const gone = await createDataRecord(context, type.id, { fieldValues: {} });

    await deleteDataRecord(context, type.id, gone.id);

    const left = await stored('data_record:created');
    expect(left.map(({ body }) => JSON.parse(body).dataRecord.id)).toEqual([kept.id]);
  });
});
