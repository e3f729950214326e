import { beforeEach, describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addRecords } from '../../../support/records/add-records.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery, addEvent } from '../../../support/webhooks/webhook-history.js';

const { workspace, asAdmin } = useApi();
let ruleId: number;
beforeEach(async () => {
  ruleId = (await addEventRule(workspace)).id;
});

const start = new Date(Date.now() - days(20));
const day = (number: number) => new Date(start.getTime() + days(number));
const redeliver = (id: number) => asAdmin('POST', `/event-rules/${ruleId}/deliveries/${id}/redeliver`);
const redeliverFailed = (body: object) => asAdmin('POST', `/event-rules/${ruleId}/redeliveries`, body);
const since = { createdFrom: day(0).toISOString() };

interface Started {
  id: number;
  uuid: string;
  trigger: string;
  eventId: number;
  requestedBy: number | null;
}
const started = (): Promise<Started[]> =>
  inWorkspace(
    `select id, uuid, trigger, event_id as "eventId", requested_by_member_id as "requestedBy"
     from webhook_deliveries where event_rule_id = ? and trigger = 'redelivery' order by id`,
    [ruleId],
  );
const startedEvents = async () => (await started()).map(({ eventId }) => eventId);

async function inWorkspace<Row>(sql: string, bindings: (string | number)[]): Promise<Row[]> {
  return workspace.within(async (tx) => (await tx.raw(sql, bindings)).rows);
}

/** The delivery runs in the outbox, by uuid. */
const runsOf = (uuids: string[]) =>
  inWorkspace(
    `select subject, action, input from outbox
     where run_type = 'deliverWebhook' and subject = any(string_to_array(?, ',')::uuid[])`,
    [uuids.join(',')],
  );

const disable = () =>
  inWorkspace(
    `update event_rules set enabled = false, disabled_at = now(), disabled_reason = 'failing' where id = ?`,
    [ruleId],
  );

/** Settles all pending deliveries. */
const settleAll = (status: 'delivered' | 'failed') =>
  inWorkspace(
    `update webhook_deliveries set status = ?, completed_at = now(), next_attempt_at = null
     where event_rule_id = ? and status = 'pending'`,
    [status, ruleId],
  );

describe('redelivering one delivery', () => {
  it.each(['failed', 'delivered', 'cancelled'] as const)(
    'creates a new delivery of one that is %s',
    async (status) => {
      const { id, event } = await addDelivery(workspace, ruleId, { status, at: day(1) });

      const answer = await redeliver(id);

      expect(answer.status).toBe(201);
      const [made] = await started();
      expect(answer.body).toMatchObject({
        id: made?.id,
        uuid: made?.uuid,
        eventRuleId: ruleId,
        eventId: event.uuid,
        trigger: 'redelivery',
        status: 'pending',
        attemptCount: 0,
        completedAt: null,
      });
      expect(answer.body.nextAttemptAt).toBe(answer.body.createdAt);
      expect(made).toMatchObject({ eventId: event.id, requestedBy: workspace.admin.memberId });
      const { workspaceId, workspaceUuid } = workspace;
      const input = { deliveryId: made?.id, ruleId, eventType: 'chat:created', workspaceId, workspaceUuid };
      expect(await runsOf([answer.body.uuid])).toEqual([
        { subject: answer.body.uuid, action: 'start', input },
      ]);
    },
  );

  it('leaves the previous delivery unchanged', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'failed', at: day(1) });
    const path = `/event-rules/${ruleId}/deliveries/${id}`;
    const before = (await asAdmin('GET', path)).body;

    await redeliver(id);

    expect((await asAdmin('GET', path)).body).toEqual(before);
  });

  it('returns 409 while any delivery of the event by the rule is pending', async () => {
    const event = await addEvent(workspace);
    const first = await addDelivery(workspace, ruleId, { event, status: 'failed' });
    const second = await addDelivery(workspace, ruleId, { event, status: 'pending' });

    for (const { id } of [first, second])
      expect(await redeliver(id)).toMatchObject({ status: 409, body: { code: 'delivery_pending' } });

    expect(await started()).toEqual([]);
  });

  it('is allowed while another rule delivers the same event', async () => {
    const event = await addEvent(workspace);
    const { id } = await addDelivery(workspace, ruleId, { event, status: 'failed' });
    const other = await addEventRule(workspace);
    await addDelivery(workspace, other.id, { event, status: 'pending' });

    expect((await redeliver(id)).status).toBe(201);
  });

  it('returns 409 while the rule is disabled, except for a test, which stays a test', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'failed' });
    const test = await addDelivery(workspace, ruleId, { status: 'failed', trigger: 'test' });
    await disable();

    expect(await redeliver(id)).toMatchObject({ status: 409, body: { code: 'rule_disabled' } });
    expect(await redeliver(test.id)).toMatchObject({ status: 201, body: { trigger: 'test' } });
  });

  it('succeeds once for fifty concurrent requests', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'failed' });

    const answers = await Promise.all(Array.from({ length: 50 }, () => redeliver(id)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(49).fill([409, 'delivery_pending']),
    );
    expect(await started()).toHaveLength(1);
  });

  it('is allowed again once the redelivery has ended', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'failed' });
    await redeliver(id);
    await settleAll('delivered');

    expect((await redeliver(id)).status).toBe(201);
  });
});

describe('redelivering all failed deliveries', () => {
  it('creates a delivery for each event whose latest one failed, in order', async () => {
    const [first, second] = [
      await addDelivery(workspace, ruleId, { status: 'failed', at: day(1) }),
      await addDelivery(workspace, ruleId, { status: 'failed', at: day(2) }),
    ];
    for (const status of ['delivered', 'cancelled', 'pending'] as const)
      await addDelivery(workspace, ruleId, { status, at: day(1) });

    const answer = await redeliverFailed(since);

    expect(answer).toMatchObject({ status: 201, body: { redelivered: 2, more: false } });
    const made = await started();
    expect(made).toMatchObject([
      { eventId: first?.event.id, requestedBy: workspace.admin.memberId },
      { eventId: second?.event.id },
    ]);
    expect(await runsOf(made.map(({ uuid }) => uuid))).toHaveLength(2);
  });

  it('considers only the latest delivery of an event, and its creation time', async () => {
    const event = async (...statuses: ('delivered' | 'failed' | 'cancelled')[]) => {
      const one = await addEvent(workspace, { at: day(1) });
      for (const [index, status] of statuses.entries())
        await addDelivery(workspace, ruleId, { event: one, status, at: day(1 + 2 * index) });
      return one.id;
    };
    await event('failed', 'delivered');
    await event('failed', 'cancelled');
    const twice = await event('failed', 'failed');
    const once = await event('failed');

    const { body } = await redeliverFailed({ createdFrom: day(2).toISOString() });
    expect(body.redelivered).toBe(1);
    expect(await startedEvents()).toEqual([twice]);

    await redeliverFailed(since);
    expect(await startedEvents()).toEqual([twice, once]);
  });

  it('includes since and excludes until', async () => {
    const at = [1, 2, 3, 4].map(day);
    const events: number[] = [];
    for (const one of at)
      events.push((await addDelivery(workspace, ruleId, { status: 'failed', at: one })).event.id);

    await redeliverFailed({ createdFrom: day(2).toISOString(), createdBefore: day(4).toISOString() });

    expect(await startedEvents()).toEqual(events.slice(1, 3));
  });

  it('omits tests, other rules and other workspaces', async () => {
    await addDelivery(workspace, ruleId, { status: 'failed', trigger: 'test', at: day(1) });
    const other = await addEventRule(workspace);
    await addDelivery(workspace, other.id, { status: 'failed', at: day(1) });

    expect((await redeliverFailed(since)).body).toEqual({ redelivered: 0, more: false });
  });

  it('delivers nothing twice, for repeated and for fifty concurrent requests', async () => {
    for (let number = 0; number < 20; number += 1)
      await addDelivery(workspace, ruleId, { status: 'failed', at: day(1) });

    const answers = await Promise.all(Array.from({ length: 50 }, () => redeliverFailed(since)));

    const counts = answers.map(({ body }) => body.redelivered).sort((one, other) => other - one);
    expect(counts).toEqual([20, ...Array(49).fill(0)]);
    expect(new Set(await startedEvents()).size).toBe(20);
    expect(await started()).toHaveLength(20);
    expect((await redeliverFailed(since)).body.redelivered).toBe(0);
  });

  it('delivers an event once when single redeliveries run concurrently', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'failed', at: day(1) });

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? redeliver(id) : redeliverFailed(since))),
    );

    expect(await started()).toHaveLength(1);
  });

  it('includes an event whose redelivery has failed', async () => {
    await addDelivery(workspace, ruleId, { status: 'failed', at: day(1) });
    await redeliverFailed(since);
    await settleAll('failed');

    expect((await redeliverFailed(since)).body.redelivered).toBe(1);
  });

  it('accepts the former names of the period', async () => {
    for (const at of [day(1), day(3)]) await addDelivery(workspace, ruleId, { status: 'failed', at });
    const period = { since: day(0).toISOString(), until: day(2).toISOString() };
    expect((await redeliverFailed(period)).body.redelivered).toBe(1);
  });

  it('returns 409 while the rule is disabled', async () => {
    await addDelivery(workspace, ruleId, { status: 'failed', at: day(1) });
    await disable();

    expect(await redeliverFailed(since)).toMatchObject({ status: 409, body: { code: 'rule_disabled' } });
    expect(await started()).toEqual([]);
  });

  it.each([
    ['no period', {}, '/createdFrom'],
    ['a createdFrom that is no time', { createdFrom: 'yesterday' }, '/createdFrom'],
    ['an empty period', { ...since, createdBefore: since.createdFrom }, '/createdBefore'],
    ['an unknown field', { ...since, all: true }, '/all'],
  ])('refuses %s', async (_, body, pointer) => {
    const answer = await redeliverFailed(body);

    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(pointersOf(answer.body)).toEqual([pointer]);
  });
});

describe('redelivering an event of a data record with a failed delivery', () => {
  let recordId: number;
  let deliveryId: number;

  beforeEach(async () => {
    const { id: typeId } = await addRecordType(workspace, true);
    ruleId = (await addEventRule(workspace, { eventType: 'data_record:created' })).id;
    await addRecords(workspace, typeId, [{ fieldValues: { reason: 'A visit' } }]);
    [recordId, deliveryId] = await workspace.within(async (tx) => {
      const now = new Date();
      const failed = { status: 'failed', completed_at: now, next_attempt_at: null };
      const [delivery] = await tx('webhook_deliveries')
        .where({ event_rule_id: ruleId })
        .update(failed)
        .returning('id');
      const [record] = await tx('data_records').where({ data_type_id: typeId }).select('id');
      return [record.id, delivery.id];
    });
  });

  /** Deletes the record in a transaction that holds its lock before the request arrives. */
  async function whileDeleting(request: () => Promise<{ status: number; body: unknown }>) {
    const { database, workspaceId } = workspace;
    const asked = await database.inWorkspace(workspaceId, async (tx) => {
      await tx('data_records').where({ id: recordId }).forUpdate().select('id');
      const asking = request();
      await whenWaitedFor(tx);
      // Lock the delivery as a concurrent attempt does, so that the deletion may have to wait for it.
      await tx.raw('select from event_rules where id = ? for share nowait', [ruleId]);
      await tx('data_records').where({ id: recordId }).del();
      return { asking };
    });
    return asked.asking;
  }

  it('returns 404 for redelivering an event whose record is being deleted', async () => {
    const { status } = await whileDeleting(() => redeliver(deliveryId));

    expect(status).toBe(404);
  });

  it('omits an event whose record is being deleted from redelivering all failed ones', async () => {
    const { status, body } = await whileDeleting(() =>
      redeliverFailed({ createdFrom: new Date(0).toISOString() }),
    );

    expect({ status, body }).toEqual({ status: 201, body: { redelivered: 0, more: false } });
  });
});
