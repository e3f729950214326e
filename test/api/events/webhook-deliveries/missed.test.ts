import { beforeEach, describe, expect, it } from 'vitest';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery, addEvent } from '../../../support/webhooks/webhook-history.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const suite = useApi();
const { api } = suite;
let workspace: TestWorkspace;
let as: ReturnType<typeof callAs>;
let ruleId: number;
beforeEach(async () => {
  workspace = await createWorkspace(suite.database.database);
  as = callAs(api, workspace, workspace.admin);
  ruleId = (await addEventRule(workspace)).id;
});

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
const act = (verb: 'enable' | 'disable', id = ruleId) => as('POST', `/event-rules/${id}/${verb}`);
const deliverMissed = (body?: object, id = ruleId) => as('POST', `/event-rules/${id}/deliver-missed`, body);
const openChat = async (): Promise<number> => (await as('POST', '/chats', { channel: 'web-chat' })).body.id;

async function inWorkspace<Row>(sql: string, bindings: readonly (string | number | Date)[]): Promise<Row[]> {
  return workspace.within(async (tx) => (await tx.raw(sql, bindings)).rows);
}

/** The deliveries of missed events, with the number of runs of each. */
const queued = (id = ruleId) =>
  inWorkspace<{ eventId: number; runs: number; requestedBy: number; status: string }>(
    `select d.event_id as "eventId", d.requested_by_member_id as "requestedBy", d.status,
       (select count(*)::int from outbox where subject = d.uuid and action = 'start') as runs
     from webhook_deliveries d where d.event_rule_id = ? and d.trigger = 'missed' order by d.id`,
    [id],
  );
const queuedEvents = async (id = ruleId) => (await queued(id)).map(({ eventId }) => eventId);

/** Disables the rule as of a time in the past. */
async function disabledSince(at: Date, id = ruleId): Promise<void> {
  await act('disable', id);
  await inWorkspace('update event_rules set created_at = ?, disabled_at = ? where id = ?', [at, at, id]);
}
const missed = async (at: Date) => (await addEvent(workspace, { at })).id;

describe('delivering missed events', () => {
  it('queues only the events that occurred while the rule was disabled', async () => {
    await openChat();
    await act('disable');
    const chats = [await openChat(), await openChat()];
    await act('enable');
    await openChat();

    const answer = await deliverMissed();

    expect(answer).toMatchObject({ status: 201, body: { queued: 2, more: false } });
    const made = await queued();
    expect(made).toMatchObject(
      chats.map(() => ({ runs: 1, requestedBy: workspace.admin.memberId, status: 'pending' })),
    );
    const told = await inWorkspace<{ chat: number }>(
      `select (body::json -> 'chat' ->> 'id')::bigint as chat from events where id = any(?) order by id`,
      [made.map(({ eventId }) => eventId) as unknown as string],
    );
    expect(told.map(({ chat }) => chat)).toEqual(chats);
    const { body } = await as('GET', `/event-rules/${ruleId}/deliveries`, undefined, { trigger: 'missed' });
    expect(body).toMatchObject({ total: 2, items: [{ trigger: 'missed' }, { trigger: 'missed' }] });
  });

  it('queues each event once, for fifty concurrent requests and after a failed delivery', async () => {
    await act('disable');
    for (let number = 0; number < 10; number += 1) await openChat();
    await act('enable');

    const answers = await Promise.all(Array.from({ length: 50 }, () => deliverMissed()));

    const counts = answers.map(({ body }) => body.queued).sort((one, other) => other - one);
    expect(counts).toEqual([10, ...Array(49).fill(0)]);
    expect(answers.every(({ body }) => body.more === false)).toBe(true);
    expect(new Set(await queuedEvents()).size).toBe(10);
    expect(await queued()).toHaveLength(10);
    await inWorkspace(
      `update webhook_deliveries set status = 'failed', completed_at = now(), next_attempt_at = null
       where event_rule_id = ?`,
      [ruleId],
    );
    expect((await deliverMissed()).body).toEqual({ queued: 0, more: false });
    expect(await queued()).toHaveLength(10);
  });

  it('covers every period in which the rule was disabled', async () => {
    for (let time = 0; time < 3; time += 1) {
      await act('disable');
      await openChat();
      await act('enable');
      await openChat();
    }

    expect((await deliverMissed()).body).toEqual({ queued: 3, more: false });
    await act('disable');
    await openChat();
    await act('enable');
    expect((await deliverMissed()).body).toEqual({ queued: 1, more: false });
  });

  it('queues an event that another rule of the same type has delivered', async () => {
    const other = await addEventRule(workspace);
    await act('disable');
    await openChat();
    await act('enable');

    expect((await deliverMissed({}, other.id)).body.queued).toBe(0);
    expect((await deliverMissed()).body.queued).toBe(1);
  });

  it('omits events beyond the retention time', async () => {
    await disabledSince(ago(days(40)));
    await missed(ago(days(31)));
    await missed(ago(days(30) - 60_000));
    const young = await missed(ago(days(29)));
    await act('enable');

    expect((await deliverMissed()).body).toEqual({ queued: 1, more: false });
    expect(await queuedEvents()).toEqual([young]);
  });

  it('omits events from before the creation of the rule', async () => {
    const at = ago(days(3));
    await missed(new Date(at.getTime() - 1));
    const first = await missed(at);
    await disabledSince(at);
    await act('enable');

    await deliverMissed();

    expect(await queuedEvents()).toEqual([first]);
  });

  it('omits events from before the rule had its current type', async () => {
    await addEventRule(workspace, { eventType: 'member:updated', enabled: false });
    await as('PUT', `/members/${workspace.member.memberId}`, { name: 'Before' });
    await act('disable');
    await as('PUT', `/members/${workspace.member.memberId}`, { name: 'While it had another type' });
    await openChat();
    await as('PUT', `/event-rules/${ruleId}`, { eventType: 'member:updated' });
    await as('PUT', `/members/${workspace.member.memberId}`, { name: 'After' });
    await act('enable');

    expect((await deliverMissed()).body.queued).toBe(1);
    const { body } = await as('GET', `/event-rules/${ruleId}/deliveries`);
    const { payload } = (await as('GET', `/event-rules/${ruleId}/deliveries/${body.items[0].id}`)).body;
    expect(payload).toMatchObject({ event: 'member:updated', member: { name: 'After' } });
  });

  it('omits events that were missed before a change of the type', async () => {
    await act('disable');
    await openChat();
    await act('enable');
    await as('PUT', `/event-rules/${ruleId}`, { eventType: 'member:updated' });
    await as('PUT', `/event-rules/${ruleId}`, { eventType: 'chat:created' });

    expect((await deliverMissed()).body.queued).toBe(0);
  });

  it('omits test events and events that the rule already has a delivery of', async () => {
    await disabledSince(ago(days(3)));
    await addEvent(workspace, { at: ago(days(1)), isTest: true });
    const other = await addEventRule(workspace, { enabled: false });
    await as('POST', `/event-rules/${other.id}/test`);
    for (const status of ['delivered', 'failed', 'cancelled'] as const)
      await addDelivery(workspace, ruleId, { status, at: ago(days(1)) });
    await act('enable');

    expect((await deliverMissed()).body).toEqual({ queued: 0, more: false });
  });

  it('omits deleted events', async () => {
    await disabledSince(ago(days(3)));
    const id = await missed(ago(days(1)));
    await act('enable');
    await inWorkspace('delete from events where id = ?', [id]);

    expect((await deliverMissed()).body).toEqual({ queued: 0, more: false });
  });

  it('includes createdFrom, excludes createdBefore, and leaves the other events for a later call', async () => {
    await disabledSince(ago(days(20)));
    const at = [9, 8, 7, 6].map((number) => ago(days(number)));
    const events: number[] = [];
    for (const one of at) events.push(await missed(one));
    await act('enable');
    const [first, second, third] = at.map((one) => one.toISOString());

    expect((await deliverMissed({ createdFrom: second, createdBefore: third })).body).toEqual({
      queued: 1,
      more: false,
    });
    expect(await queuedEvents()).toEqual(events.slice(1, 2));
    expect((await deliverMissed({ until: second })).body.queued).toBe(1);
    expect((await deliverMissed({ createdFrom: first, createdBefore: third })).body.queued).toBe(0);
    expect((await deliverMissed()).body.queued).toBe(2);
    expect((await queuedEvents()).sort()).toEqual(events.sort());
  });

  it('returns zero for intervals outside the retention time', async () => {
    await disabledSince(ago(days(3)));
    await missed(ago(days(1)));
    await act('enable');

    for (const body of [
      { until: ago(days(60)).toISOString() },
      { until: '0001-01-01T00:00:00Z' },
      { createdFrom: '9999-12-31T23:59:59Z' },
    ]) {
      expect(await deliverMissed(body)).toMatchObject({ status: 201, body: { queued: 0, more: false } });
    }
    expect((await deliverMissed({ createdFrom: '0001-01-01T00:00:00Z' })).body.queued).toBe(1);
  });

  it('returns 409 while the rule is disabled, and queues nothing for a rule that was always enabled', async () => {
    expect((await deliverMissed()).body).toEqual({ queued: 0, more: false });
    await act('disable');
    await openChat();

    expect(await deliverMissed()).toMatchObject({ status: 409, body: { code: 'rule_disabled' } });
    expect(await queued()).toEqual([]);
  });

  it.each([
    ['a createdFrom that is no time', { createdFrom: 'yesterday' }, '/createdFrom'],
    ['a createdBefore that is no time', { createdBefore: 7 }, '/createdBefore'],
    [
      'an empty period',
      { createdFrom: '2030-01-01T00:00:00Z', createdBefore: '2030-01-01T00:00:00Z' },
      '/createdBefore',
    ],
    ['an unknown field', { all: true }, '/all'],
  ])('refuses %s', async (_, body, pointer) => {
    const answer = await deliverMissed(body);

    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set([pointer]));
  });
});
