import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import {
  type AddedDelivery,
  addDelivery,
  addEvent,
  type DeliveryOptions,
} from '../../../support/webhooks/webhook-history.js';

const { workspace, asAdmin } = useApi();
let ruleId: number;
beforeEach(async () => {
  ruleId = (await addEventRule(workspace)).id;
});

const start = new Date('2030-01-01T00:00:00Z');
const day = (number: number) => new Date(start.getTime() + days(number));
const add = (options: DeliveryOptions = {}): Promise<AddedDelivery> =>
  addDelivery(workspace, ruleId, options);
const call = (path: string, query: Record<string, string | number> = {}) =>
  asAdmin('GET', `/event-rules/${ruleId}/deliveries${path}`, undefined, query);
const idsOf = async (query: Record<string, string | number>): Promise<number[]> =>
  (await call('', query)).body.items.map(({ id }: { id: number }) => id);

describe('listing deliveries', () => {
  it('returns the outcome of each delivery, newest first', async () => {
    const failed = await add({ status: 'failed', at: day(1), completedAt: day(4) });
    const pending = await add({ status: 'pending', at: day(2) });

    const { status, body } = await call('');

    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, totalIsExact: true, page: 1, pageSize: 25, totalPages: 1 });
    const shown = { uuid: expect.any(String), eventRuleId: ruleId, trigger: 'event', attemptCount: 0 };
    expect(body.items).toEqual([
      {
        ...shown,
        id: pending.id,
        eventId: pending.event.uuid,
        eventType: 'chat:created',
        status: 'pending',
        failureReason: null,
        lastStatusCode: null,
        nextAttemptAt: day(2).toISOString(),
        createdAt: day(2).toISOString(),
        completedAt: null,
      },
      {
        ...shown,
        id: failed.id,
        eventId: failed.event.uuid,
        eventType: 'chat:created',
        status: 'failed',
        failureReason: 'attempts_exhausted',
        lastStatusCode: null,
        nextAttemptAt: null,
        createdAt: day(1).toISOString(),
        completedAt: day(4).toISOString(),
      },
    ]);
  });

  it('combines the filters by status, trigger, event, type and time', async () => {
    const event = await addEvent(workspace, { at: day(1) });
    const first = await add({ event, status: 'failed', at: day(1) });
    const again = await add({ event, status: 'failed', trigger: 'redelivery', at: day(2) });
    const other = await add({ eventType: 'member:updated', at: day(3) });
    const test = await add({ trigger: 'test', at: day(4) });

    expect(await idsOf({ status: 'failed' })).toEqual([again.id, first.id]);
    expect(await idsOf({ status: 'cancelled' })).toEqual([]);
    expect(await idsOf({ trigger: 'redelivery' })).toEqual([again.id]);
    expect(await idsOf({ trigger: 'test' })).toEqual([test.id]);
    expect(await idsOf({ trigger: 'event' })).toEqual([other.id, first.id]);
    expect(await idsOf({ eventType: 'member:updated' })).toEqual([other.id]);
    expect(await idsOf({ eventId: event.uuid })).toEqual([again.id, first.id]);
    expect(await idsOf({ eventId: randomUUID() })).toEqual([]);
    expect(await idsOf({ createdFrom: day(2).toISOString() })).toEqual([test.id, other.id, again.id]);
    expect(await idsOf({ createdBefore: day(2).toISOString() })).toEqual([first.id]);
    expect(await idsOf({ eventId: event.uuid, createdFrom: day(2).toISOString() })).toEqual([again.id]);
    expect(await idsOf({ status: 'failed', trigger: 'event', createdBefore: day(3).toISOString() })).toEqual([
      first.id,
    ]);
  });

  it('sorts by creation or completion, with pending ones last and the id as tie-breaker', async () => {
    const late = await add({ at: day(1), completedAt: day(9) });
    const pending = await add({ status: 'pending', at: day(2) });
    const early = await add({ at: day(3), completedAt: day(4) });
    const twin = await add({ at: day(3), completedAt: day(4) });

    expect(await idsOf({ sortOrder: 'asc' })).toEqual([late.id, pending.id, early.id, twin.id]);
    expect(await idsOf({})).toEqual([twin.id, early.id, pending.id, late.id]);
    const byCompletion = [early.id, twin.id, late.id, pending.id];
    expect(await idsOf({ sortBy: 'completedAt', sortOrder: 'asc' })).toEqual(byCompletion);
    expect(await idsOf({ sortBy: 'completedAt' })).toEqual(byCompletion.toReversed());
  });

  it('paginates', async () => {
    const made: number[] = [];
    for (let number = 0; number < 5; number += 1) made.push((await add({ at: day(number) })).id);

    const second = await call('', { page: 2, pageSize: 2, sortOrder: 'asc' });

    expect(second.body).toMatchObject({ total: 5, page: 2, pageSize: 2, totalPages: 3 });
    expect(second.body.items.map(({ id }: { id: number }) => id)).toEqual(made.slice(2, 4));
    expect((await call('', { page: 4, pageSize: 2 })).body).toMatchObject({ items: [], total: 5 });
  });

  it('omits deliveries of other rules', async () => {
    const other = await addEventRule(workspace);
    await addDelivery(workspace, other.id);

    expect((await call('')).body).toMatchObject({ items: [], total: 0, totalPages: 0 });
  });

  it.each([
    ['an unknown status', { status: 'lost' }, '/status'],
    ['an unknown type of event', { eventType: 'chat:deleted' }, '/eventType'],
    ['an unknown trigger', { trigger: 'retry' }, '/trigger'],
    ['an event that is no uuid', { eventId: '7' }, '/eventId'],
    ['a time that is none', { createdFrom: 'yesterday' }, '/createdFrom'],
    ['another order', { sortBy: 'status' }, '/sortBy'],
    ['a page beyond the 10,000th', { page: 401, pageSize: 25 }, '/page'],
  ])('refuses %s', async (_, query, pointer) => {
    const answer = await call('', query as Record<string, string | number>);

    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set([pointer]));
  });
});

describe('getting a delivery', () => {
  it('returns the delivery with its payload', async () => {
    const { id, event } = await add({ status: 'delivered', at: day(1) });

    const { status, body } = await call(`/${id}`);

    expect(status).toBe(200);
    const [listed] = (await call('')).body.items;
    expect(body).toEqual({
      ...listed,
      payload: { event: 'chat:created', id: event.uuid, chat: { id: 1 } },
    });
  });
});

describe('listing attempts', () => {
  it('returns the attempts in order with their responses', async () => {
    const { id } = await add({ status: 'failed', at: day(1), attempts: 12 });

    const { status, body } = await call(`/${id}/attempts`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 12, page: 1, totalPages: 1 });
    expect(body.items.map(({ number }: { number: number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(body.items[0]).toEqual({
      number: 1,
      startedAt: day(1).toISOString(),
      durationMs: 12,
      statusCode: 503,
      errorCode: null,
      responseBody: 'Sorry',
    });
    const last = await call(`/${id}/attempts`, { pageSize: 5, page: 2, sortOrder: 'desc' });
    expect(last.body.items.map(({ number }: { number: number }) => number)).toEqual([7, 6, 5, 4, 3]);
  });

  it('shows an attempt in progress and one without a response', async () => {
    const { id } = await add({ status: 'pending', at: day(1), attempts: 2 });
    const { workspaceId, database } = workspace;
    const unknown = { duration_ms: null, status_code: null, response_body: null };
    await database.inWorkspace(workspaceId, async (tx) => {
      const ofDelivery = () => tx('webhook_attempts').where({ webhook_delivery_id: id });
      await ofDelivery()
        .where({ number: 1 })
        .update({ ...unknown, duration_ms: 3, error_code: 'dns_failed' });
      await ofDelivery()
        .where({ number: 2 })
        .update({ ...unknown, finished_at: null });
    });

    const { body } = await call(`/${id}/attempts`);

    const startedAt = day(1).toISOString();
    expect(body.items).toEqual([
      { number: 1, startedAt, durationMs: 3, statusCode: null, errorCode: 'dns_failed', responseBody: null },
      { number: 2, startedAt, durationMs: null, statusCode: null, errorCode: null, responseBody: null },
    ]);
  });

  it('returns an empty list before the first attempt', async () => {
    const { id } = await add({ status: 'pending' });

    expect((await call(`/${id}/attempts`)).body).toMatchObject({ items: [], total: 0 });
  });
});

describe('cancelling a delivery', () => {
  const cancel = (id: number) => asAdmin('POST', `/event-rules/${ruleId}/deliveries/${id}/cancel`);
  const claim = (deliveryId: number) => {
    const { workspaceId } = workspace;
    const context = { ...workspace.context(), encryption: testEncryption };
    return claimAttempt(context, { workspaceId, deliveryId, ruleId });
  };

  it('ends a pending delivery, and no further attempt follows', async () => {
    const { id, event } = await add({ status: 'pending', attempts: 1 });

    const answer = await cancel(id);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        eventId: event.uuid,
        status: 'cancelled',
        failureReason: 'cancelled_by_member',
        nextAttemptAt: null,
        completedAt: expect.any(String),
      },
    });
    expect(await claim(id)).toMatchObject({ kind: 'settled', status: 'cancelled' });
  });

  it.each(['delivered', 'failed', 'cancelled'] as const)('returns 409 for a %s delivery', async (status) => {
    const { id } = await add({ status });
    const path = `/event-rules/${ruleId}/deliveries/${id}`;
    const before = (await asAdmin('GET', path)).body;

    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'delivery_completed' } });
    expect((await asAdmin('GET', path)).body).toEqual(before);
  });

  it('returns 409 while an attempt is in progress', async () => {
    const { id } = await add({ status: 'pending' });
    expect(await claim(id)).toMatchObject({ kind: 'claimed' });

    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'attempt_under_way' } });
    expect((await asAdmin('GET', `/event-rules/${ruleId}/deliveries/${id}`)).body.status).toBe('pending');
  });

  it('cancels once for concurrent requests', async () => {
    const { id } = await add({ status: 'pending' });
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('counting failed deliveries', () => {
  it('tells their causes, the most frequent first', async () => {
    await add({ status: 'failed', attempts: 2 });
    await add({ status: 'failed', attempts: 1 });
    await add({ status: 'failed' });
    await add({ status: 'delivered', attempts: 1 });

    const { body } = await call('/stats/failures');

    const failureReason = 'attempts_exhausted';
    expect(body).toEqual({
      total: 3,
      totalIsExact: true,
      causes: [
        { failureReason, statusCode: 503, count: 2 },
        { failureReason, count: 1 },
      ],
    });
  });

  it('needs a rule of the workspace', async () => {
    expect((await asAdmin('GET', '/event-rules/999999999/deliveries/stats/failures')).status).toBe(404);
  });
});
