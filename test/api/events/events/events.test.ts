import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addRecords } from '../../../support/records/add-records.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery, addEvent, type EventOptions } from '../../../support/webhooks/webhook-history.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const suite = useApi();
const { api } = suite;
let workspace: TestWorkspace;
let call: ReturnType<typeof callAs>;
beforeEach(async () => {
  workspace = await createWorkspace(suite.database.database);
  call = callAs(api, workspace, workspace.admin);
});

const start = new Date('2030-01-01T00:00:00Z');
const day = (number: number) => new Date(start.getTime() + days(number));
const add = async (options: EventOptions = {}) => (await addEvent(workspace, options)).uuid;
const list = (query: Record<string, string | number> = {}) => call('GET', '/events', undefined, query);
const idsOf = async (query: Record<string, string | number>): Promise<string[]> =>
  (await list(query)).body.items.map(({ id }: { id: string }) => id);

describe('listing events', () => {
  it('shows events newest first, with their payloads', async () => {
    const first = await add({ at: day(1) });
    const second = await add({ at: day(2), eventType: 'member:updated' });

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, totalIsExact: true, page: 1, pageSize: 25, totalPages: 1 });
    expect(body.isCut).toBeUndefined();
    expect(body.items).toEqual([
      {
        id: second,
        eventType: 'member:updated',
        dataRecordId: null,
        isTest: false,
        createdAt: day(2).toISOString(),
        payload: { event: 'member:updated', id: second, chat: { id: 1 } },
      },
      {
        id: first,
        eventType: 'chat:created',
        dataRecordId: null,
        isTest: false,
        createdAt: day(1).toISOString(),
        payload: { event: 'chat:created', id: first, chat: { id: 1 } },
      },
    ]);
  });

  it('combines the filters by type, test flag and time', async () => {
    const chat = await add({ at: day(1) });
    const member = await add({ at: day(2), eventType: 'member:updated' });
    const sample = await add({ at: day(3), isTest: true });
    const later = await add({ at: day(4) });

    expect(await idsOf({ eventType: 'chat:created' })).toEqual([later, sample, chat]);
    expect(await idsOf({ eventType: 'call:started' })).toEqual([]);
    expect(await idsOf({ isTest: 'true' })).toEqual([sample]);
    expect(await idsOf({ isTest: 'false' })).toEqual([later, member, chat]);
    expect(await idsOf({ isTest: 'true', eventType: 'member:updated' })).toEqual([]);
    expect(await idsOf({ isTest: 'false', eventType: 'chat:created' })).toEqual([later, chat]);
    expect(await idsOf({ createdFrom: day(2).toISOString() })).toEqual([later, sample, member]);
    expect(await idsOf({ createdBefore: day(2).toISOString() })).toEqual([chat]);
    expect(
      await idsOf({
        eventType: 'chat:created',
        createdFrom: day(1).toISOString(),
        createdBefore: day(4).toISOString(),
      }),
    ).toEqual([sample, chat]);
  });

  it('filters by data record', async () => {
    await addEventRule(workspace, { eventType: 'data_record:created', enabled: false });
    await addEventRule(workspace, { eventType: 'data_record:changed', enabled: false });
    const { id: typeId } = await addRecordType(workspace, true);
    const saved = await addRecords(workspace, typeId, [
      { fieldValues: { reason: 'A visit' } },
      { fieldValues: { reason: 'Another' } },
    ]);
    const [first, second] = saved.map((one) => (one.status === 'failed' ? 0 : one.record.id));

    const { body } = await list({ dataRecordId: second ?? 0 });

    expect(body.total).toBe(2);
    for (const item of body.items) {
      expect(item).toMatchObject({ dataRecordId: second, payload: { dataRecord: { id: second } } });
    }
    const changes = await list({ dataRecordId: first ?? 0, eventType: 'data_record:changed' });
    expect(changes.body.items).toMatchObject([{ dataRecordId: first, eventType: 'data_record:changed' }]);
    expect(await idsOf({ dataRecordId: first ?? 0, isTest: 'true' })).toEqual([]);
  });

  it('marks test events, and shows events whose only rule is disabled', async () => {
    const rule = await addEventRule(workspace, { enabled: false });
    await call('POST', `/event-rules/${rule.id}/test`);
    await call('POST', '/chats', { channel: 'web-chat' });

    const { body } = await list({ sortOrder: 'asc' });

    expect(body.items).toMatchObject([
      { isTest: true, eventType: 'chat:created', payload: { test: true, event: 'chat:created' } },
      { isTest: false, eventType: 'chat:created', payload: { event: 'chat:created' } },
    ]);
    expect(body.items[1].payload).toHaveProperty('workspaceUuid', workspace.workspaceUuid);
  });

  it('omits events of a type without a rule', async () => {
    await addEventRule(workspace, { eventType: 'member:updated' });
    await call('POST', '/chats', { channel: 'web-chat' });

    expect((await list()).body.total).toBe(0);
  });

  it('paginates in both orders, with the id as tie-breaker', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) ids.push(await add({ at: day(Math.floor(number / 2)) }));

    const second = await list({ page: 2, pageSize: 2, sortOrder: 'asc' });

    expect(second.body).toMatchObject({ total: 5, page: 2, pageSize: 2, totalPages: 3 });
    expect(second.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
    expect(await idsOf({ pageSize: 2 })).toEqual(ids.toReversed().slice(0, 2));
    expect((await list({ page: 4, pageSize: 2 })).body).toMatchObject({ items: [], total: 5 });
  });

  it('cuts a page whose payloads exceed 2 MiB, and smaller pages return the rest', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1)
      ids.unshift(await add({ at: day(number), filling: 'é'.repeat(125_000) }));

    const { body } = await list({ pageSize: 100 });

    expect(body).toMatchObject({ total: 12, totalPages: 1, isCut: true });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(2.1 * 1_024 * 1_024);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 8));
    const pages = [...(await idsOf({ pageSize: 6 })), ...(await idsOf({ pageSize: 6, page: 2 }))];
    expect(pages).toEqual(ids);
  });

  it.each([
    ['an unknown type of event', { eventType: 'chat:deleted' }, '/eventType'],
    ['a record that is no id', { dataRecordId: 'x' }, '/dataRecordId'],
    ['a flag that is none', { isTest: 'maybe' }, '/isTest'],
    ['a time that is none', { createdFrom: 'yesterday' }, '/createdFrom'],
    ['another order', { sortBy: 'eventType' }, '/sortBy'],
    ['an unknown parameter', { memberId: 1 }, '/memberId'],
    ['a page beyond the 10,000th', { page: 401, pageSize: 25 }, '/page'],
  ])('refuses %s', async (_, query, pointer) => {
    const answer = await list(query as Record<string, string | number>);

    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set([pointer]));
  });
});

describe('getting an event', () => {
  it('returns its deliveries for all rules, newest first', async () => {
    const [one, another] = [await addEventRule(workspace), await addEventRule(workspace)];
    const event = await addEvent(workspace, { at: day(1) });
    const failed = await addDelivery(workspace, one.id, { event, status: 'failed', at: day(1) });
    const taken = await addDelivery(workspace, another.id, { event, at: day(1) });
    const again = await addDelivery(workspace, one.id, { event, trigger: 'redelivery', at: day(2) });
    await addDelivery(workspace, one.id, { at: day(1) });

    const { status, body } = await call('GET', `/events/${event.uuid}`);

    expect(status).toBe(200);
    const { deliveries, ...shown } = body;
    expect(shown).toEqual((await list({ createdBefore: day(2).toISOString() })).body.items[1]);
    expect(deliveries).toMatchObject([
      { id: again.id, eventRuleId: one.id, trigger: 'redelivery', status: 'delivered' },
      { id: taken.id, eventRuleId: another.id, trigger: 'event', status: 'delivered' },
      { id: failed.id, eventRuleId: one.id, status: 'failed', failureReason: 'attempts_exhausted' },
    ]);
    const [listed] = (await call('GET', `/event-rules/${another.id}/deliveries`)).body.items;
    expect(deliveries[1]).toEqual(listed);
  });

  it('returns an event without deliveries', async () => {
    const { body } = await call('GET', `/events/${await add()}`);
    expect(body).toMatchObject({ deliveries: [], payload: { chat: { id: 1 } } });
  });

  it('returns at most 100 deliveries and marks a longer list as cut', async () => {
    const rule = await addEventRule(workspace);
    const event = await addEvent(workspace);
    const { workspaceId } = workspace;
    const addMany = (count: number) =>
      workspace.within((tx) =>
        tx.raw(
          `insert into webhook_deliveries
             (workspace_id, event_rule_id, event_id, event_type, trigger, status, created_at, completed_at)
           select ?, ?, ?, 'chat:created', 'redelivery', 'delivered', now(), now() from generate_series(1, ?)`,
          [workspaceId, rule.id, event.id, count],
        ),
      );
    const get = async () => (await call('GET', `/events/${event.uuid}`)).body;
    await addMany(100);

    const whole = await get();
    expect(whole.deliveries).toHaveLength(100);
    expect(whole.deliveriesAreCut).toBeUndefined();

    await addMany(1);
    const cut = await get();
    expect(cut.deliveries).toHaveLength(100);
    expect(cut.deliveriesAreCut).toBe(true);
  });
});

let eventPath: string;
beforeAll(async () => {
  eventPath = `/events/${(await addEvent(suite.workspace)).uuid}`;
});

describeAccess(suite, ['the list of events', 'an event'], () => {
  // Payloads contain data of all members, so reading events needs the permission too.
  const reads = { method: 'GET', scope: 'event_rules:read', needsPermission: true } as const;
  return [
    { ...reads, path: '/events', namesItem: false },
    { ...reads, path: eventPath, namesItem: true },
  ];
});

describe('access to events', () => {
  it('requires only event_rules:read', async () => {
    const reader = await addMember(suite.workspace, { permissions: ['event_rules:read'] });
    const call = suite.as(reader);

    expect((await call('GET', '/events')).status).toBe(200);
    expect((await call('GET', eventPath)).status).toBe(200);
  });

  it('hides events of another workspace', async () => {
    const foreign = await addEvent(suite.otherWorkspace);
    const { body } = await suite.asAdmin('GET', '/events');

    expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(foreign.uuid);
    expect(body.total).toBe(1);
    expect((await suite.asAdmin('GET', `/events/${foreign.uuid}`)).status).toBe(404);
  });

  it('returns 404 for an unknown event and 400 for a malformed id', async () => {
    const get = (id: string) => suite.asAdmin('GET', `/events/${id}`);

    expect(await get(randomUUID())).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const answer = await get('7');
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set(['/event_id']));
  });
});
