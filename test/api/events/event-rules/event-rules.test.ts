import { describe, expect, it } from 'vitest';
import { patchEventRule } from '../../../../db/events/event-rules.js';
import type { Tx } from '../../../../db/tx.js';
import { disableRule } from '../../../../domain/events/event-rules/disable-rule.js';
import { signingSecretsOf } from '../../../../domain/events/event-rules/signing-secrets.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { addEventRule, eventRuleBody } from '../../../support/webhooks/event-rules.js';
import { createWorkspace } from '../../../support/workspace/factories.js';

const suite = useApi();
const { api, asAdmin } = suite;

const url = 'https://receiver.example.com/hooks?token=1';
const valid = (changes: object = {}) =>
  eventRuleBody(
    { webhookUrl: url },
    { name: 'Records to the archive', eventType: 'data_record:changed', ...changes },
  );

async function newRule(changes: object = {}) {
  const { status, body } = await asAdmin('POST', '/event-rules', valid(changes));
  expect(status).toBe(201);
  return body;
}

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  suite.database.database.inWorkspace(suite.workspace.workspaceId, work);

describe('creating an event rule', () => {
  it('returns the rule with its generated secret', async () => {
    const { status, body } = await asAdmin('POST', '/event-rules', valid());
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: 'Records to the archive',
      eventType: 'data_record:changed',
      actionType: 'webhook:send',
      actionParams: {
        webhookUrl: url,
        signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      receiverAnsweredAt: null,
      failingSince: null,
      secrets: [{ uuid: expect.any(String), createdAt: body.createdAt, expiresAt: null }],
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
  });

  it('allows rules with the same event type, name and receiver', async () => {
    const [one, other] = [await newRule(), await newRule()];
    expect(one.id).not.toBe(other.id);
    expect(one.actionParams.signingSecret).not.toBe(other.actionParams.signingSecret);
    const endpoints = await within((tx) =>
      tx('event_rules').whereIn('id', [one.id, other.id]).distinct('webhook_endpoint_id'),
    );
    expect(endpoints).toHaveLength(1);
  });

  async function expectRefused(changes: object, pointer: string): Promise<void> {
    const { status, body } = await asAdmin('POST', '/event-rules', valid(changes));
    expect(status).toBe(400);
    expect(pointersOf(body)).toEqual([pointer]);
    expect(JSON.stringify(body)).not.toContain('token=1');
  }

  it.each([
    ['no name', { name: undefined }, '/name'],
    ['a name of blanks', { name: '  ' }, '/name'],
    ['an event type that is none', { eventType: 'chat:ended' }, '/eventType'],
    ['an action that is none', { actionType: 'mail:send' }, '/actionType'],
    ['no parameters', { actionParams: undefined }, '/actionParams'],
    ['no URL', { actionParams: {} }, '/actionParams/webhookUrl'],
  ])('refuses %s', (_, changes, pointer) => expectRefused(changes, pointer));

  it.each([
    ['a URL that is too long', { webhookUrl: `${url}${'x'.repeat(2_048)}` }, 'webhookUrl'],
    ['an unknown parameter', { method: 'PUT' }, 'method'],
    ['a short secret', { signingSecret: 'fifteen chars..' }, 'signingSecret'],
    ['a secret with a blank', { signingSecret: 'a secret of sixteen' }, 'signingSecret'],
    ['a key that is too short', { signingSecret: `whsec_${'A'.repeat(28)}` }, 'signingSecret'],
    ['a key that is no base64', { signingSecret: `whsec_${'-'.repeat(40)}` }, 'signingSecret'],
  ])('refuses %s', (_, params, field) =>
    expectRefused({ actionParams: { webhookUrl: url, ...params } }, `/actionParams/${field}`),
  );
});

describe('an event rule for call events', () => {
  it.each(['call:started', 'call:completed', 'call:summary'] as const)(
    'is as others: %s',
    async (eventType) => {
      const made = await asAdmin('POST', '/event-rules', valid({ eventType }));
      expect(made).toMatchObject({ status: 201, body: { eventType } });
      const { id } = await newRule();
      expect(await asAdmin('PUT', `/event-rules/${id}`, { eventType })).toMatchObject({ status: 200 });
    },
  );
});

describe('event rules', () => {
  it('are returned without their secrets', async () => {
    const { actionParams, ...made } = await newRule();
    const { status, body } = await asAdmin('GET', `/event-rules/${made.id}`);
    expect([status, body]).toEqual([200, { ...made, actionParams: { webhookUrl: url } }]);
    expect(actionParams.signingSecret).toBeDefined();
  });

  it('are listed in pages, filtered by event type and enabled state', async () => {
    const workspace = await createWorkspace(suite.database.database);
    const there = callAs(api, workspace, workspace.admin);
    const names = async (query: Record<string, string | number>) => {
      const { status, body } = await there('GET', '/event-rules', undefined, query);
      expect(status).toBe(200);
      return { total: body.total, names: body.items.map(({ name }: { name: string }) => name) };
    };
    const one = await addEventRule(workspace, { name: 'One', url, secret: 'the secret of one' });
    await addEventRule(workspace, { name: 'Two', eventType: 'member:updated' });
    const three = await addEventRule(workspace, { name: 'Three' });
    const gone = await addEventRule(workspace, { name: 'Gone' });
    await there('POST', `/event-rules/${three.id}/disable`);
    await there('DELETE', `/event-rules/${gone.id}`);

    expect(await names({ sortBy: 'createdAt' })).toEqual({ total: 3, names: ['One', 'Two', 'Three'] });
    expect(await names({ sortBy: 'name', sortOrder: 'desc', pageSize: 1, page: 2 })).toEqual({
      total: 3,
      names: ['Three'],
    });
    expect(await names({ eventType: 'member:updated' })).toEqual({ total: 1, names: ['Two'] });
    expect(await names({ enabled: 'false' })).toEqual({ total: 1, names: ['Three'] });
    const { body } = await there('GET', '/event-rules', undefined, { enabled: 'true', sortBy: 'createdAt' });
    expect(body.items).toMatchObject([{ id: one.id, actionParams: { webhookUrl: url }, secrets: [{}] }, {}]);
    expect(JSON.stringify(body)).not.toContain('the secret of one');
    expect((await there('GET', '/event-rules', undefined, { eventType: 'chat:ended' })).status).toBe(400);
  });

  it('change in the given fields only', async () => {
    const { actionParams: _, ...made } = await newRule();
    const moved = 'https://other.example.com/';
    const answer = await asAdmin('PUT', `/event-rules/${made.id}`, {
      name: 'Another name',
      eventType: 'chat:created',
      actionParams: { webhookUrl: 'HTTPS://OTHER.example.com:443' },
    });
    expect(answer.status).toBe(200);
    const changed = { name: 'Another name', eventType: 'chat:created', actionParams: { webhookUrl: moved } };
    expect(answer.body).toEqual({ ...made, ...changed, updatedAt: expect.any(String) });
    expect((await asAdmin('PUT', `/event-rules/${made.id}`, {})).body).toMatchObject(changed);
  });

  it('refuse a secret in an update, because secrets are rotated instead', async () => {
    const { id } = await newRule();
    const actionParams = { webhookUrl: url, signingSecret: 'a-secret-of-their-own' };
    const { status, body } = await asAdmin('PUT', `/event-rules/${id}`, { actionParams });
    expect([status, pointersOf(body)]).toEqual([400, ['/actionParams/signingSecret']]);
  });

  it('reset failingSince when the receiver changes, and only then', async () => {
    const { id } = await newRule();
    const failingSince = new Date('2026-03-01T12:00:00Z');
    await within((tx) => patchEventRule(tx, id, { failingSince }));
    const put = async (webhookUrl: string) =>
      (await asAdmin('PUT', `/event-rules/${id}`, { actionParams: { webhookUrl } })).body.failingSince;
    expect(await put(url)).toBe(failingSince.toISOString());
    expect(await put(`${url}&other=1`)).toBeNull();
  });
});

describe('disabling an event rule', () => {
  const disable = (id: number) => asAdmin('POST', `/event-rules/${id}/disable`);
  const enable = (id: number) => asAdmin('POST', `/event-rules/${id}/enable`);

  it('returns time and reason, and changes nothing the second time', async () => {
    const { id } = await newRule();
    const first = await disable(id);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      enabled: false,
      disabledAt: first.body.updatedAt,
      disabledReason: 'by_member',
    });
    expect((await disable(id)).body).toEqual(first.body);
  });

  it('keeps a reason that the service has set, and enabling clears it', async () => {
    const { id } = await newRule();
    const now = new Date('2026-03-06T12:00:00Z');
    await within(async (tx) => {
      await patchEventRule(tx, id, { failingSince: new Date('2026-03-01T12:00:00Z') });
      await disableRule(tx, { eventRuleId: id, reason: 'failing', now });
    });
    const failing = { disabledAt: now.toISOString(), disabledReason: 'failing' };
    const kept = { enabled: false, ...failing, failingSince: expect.any(String) };
    expect((await disable(id)).body).toMatchObject(kept);

    const enabled = await enable(id);
    expect(enabled.status).toBe(200);
    const afresh = { enabled: true, disabledAt: null, disabledReason: null, failingSince: null };
    expect(enabled.body).toMatchObject(afresh);
    expect((await enable(id)).body).toEqual(enabled.body);
  });
});

describe('deleting an event rule', () => {
  it('removes the rule and its secrets', async () => {
    const { id } = await newRule();
    expect((await asAdmin('DELETE', `/event-rules/${id}`)).status).toBe(204);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/enable', undefined],
      ['POST', '/disable', undefined],
      ['POST', '/rotate-secret', {}],
      ['POST', '/test', undefined],
    ] as const) {
      const answer = await asAdmin(method, `/event-rules/${id}${path}`, body);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const secrets = await within((tx) => tx('event_rule_secrets').where({ event_rule_id: id }));
    expect(secrets).toEqual([]);
  });
});

describe('the test event of a rule', () => {
  it('is delivered to the receiver of the rule, marked as a test', async () => {
    const { id } = await newRule();
    const { status, body } = await asAdmin('POST', `/event-rules/${id}/test`);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      eventRuleId: id,
      eventType: 'data_record:changed',
      trigger: 'test',
      status: 'pending',
      attemptCount: 0,
      nextAttemptAt: body.createdAt,
      completedAt: null,
    });
    const { event, runs, deliveries } = await within(async (tx) => ({
      event: await tx('events').where({ uuid: body.eventId }).first(),
      runs: await tx('outbox').where({ run_type: 'deliverWebhook', subject: body.uuid }),
      deliveries: await tx('webhook_deliveries').where({ event_type: body.eventType, event_rule_id: id }),
    }));
    expect(JSON.parse(event.body)).toMatchObject({
      id: body.eventId,
      event: 'data_record:changed',
      test: true,
      dataRecord: { fields: {} },
    });
    expect(runs).toHaveLength(1);
    expect(deliveries).toMatchObject([{ requested_by_member_id: suite.workspace.admin.memberId }]);
  });

  it('is sent for a disabled rule too', async () => {
    const { id } = await newRule();
    await asAdmin('POST', `/event-rules/${id}/disable`);
    expect((await asAdmin('POST', `/event-rules/${id}/test`)).status).toBe(201);
  });
});

const fifty = Array.from({ length: 50 }, (_, index) => index);
const rule = (index: number) => eventRuleBody({}, { name: `Rule ${index}` });

function counted(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('leaves five valid secrets after fifty concurrent rotations, and they are the returned ones', async () => {
  const { id } = await addEventRule(suite.workspace, { secret: 'the-one-it-began-with' });
  const answers = await Promise.all(fifty.map(() => asAdmin('POST', `/event-rules/${id}/rotate-secret`, {})));

  expect(counted(answers)).toEqual({ 200: 4, 409: 46 });
  const told = answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => body.actionParams.signingSecret);
  const valid = await within((tx) => signingSecretsOf(tx, testEncryption, id, new Date()));
  expect(valid).toHaveLength(5);
  expect(new Set(valid)).toEqual(new Set([...told, 'the-one-it-began-with']));
  const { secrets } = (await asAdmin('GET', `/event-rules/${id}`)).body;
  expect(secrets.filter(({ expiresAt }: { expiresAt: string | null }) => expiresAt === null)).toHaveLength(1);
});

it('enforces the limit of 100 rules for fifty concurrent requests, and a deletion frees a slot', async () => {
  const workspace = await createWorkspace(suite.database.database);
  const call = callAs(api, workspace, workspace.admin);
  for (let count = 0; count < 80; count += 1) await addEventRule(workspace);
  const answers = await Promise.all(fifty.map((index) => call('POST', '/event-rules', rule(index))));

  expect(counted(answers)).toEqual({ 201: 20, 409: 30 });
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_event_rules');
  const { body } = await call('GET', '/event-rules', undefined, { pageSize: 1 });
  expect(body.total).toBe(100);
  await call('DELETE', `/event-rules/${body.items[0].id}`);
  expect((await call('POST', '/event-rules', rule(0))).status).toBe(201);
  expect((await call('POST', '/event-rules', rule(0))).status).toBe(409);
  expect((await asAdmin('POST', '/event-rules', rule(0))).status).toBe(201);
});

it('shares one new receiver among fifty rules that are created at once', async () => {
  const actionParams = { webhookUrl: 'https://receiver.example.com/shared' };
  const answers = await Promise.all(
    fifty.map((index) => asAdmin('POST', '/event-rules', { ...rule(index), actionParams })),
  );
  expect(counted(answers)).toEqual({ 201: 50 });
  const endpoints = await within((tx) => tx('webhook_endpoints').where({ url: actionParams.webhookUrl }));
  expect(endpoints).toHaveLength(1);
});

it('keeps a rule deleted and without secrets when a change runs concurrently', async () => {
  const changes = [
    ['PUT', '', { name: 'Another name' }],
    ['POST', '/enable', undefined],
    ['POST', '/disable', undefined],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test', undefined],
  ] as const;
  for (let round = 0; round < 5; round += 1) {
    const { id } = await addEventRule(suite.workspace, { secret: 'a-signing-secret' });
    const change = (index: number) => {
      const [method, path, body] = changes[index % changes.length] ?? changes[0];
      return asAdmin(method, `/event-rules/${id}${path}`, body);
    };
    const before = fifty.slice(0, 15).map(change);
    const deleting = asAdmin('DELETE', `/event-rules/${id}`);
    const answers = await Promise.all([...before, ...fifty.slice(0, 15).map(change)]);
    expect((await deleting).status).toBe(204);

    const refused = answers.filter(({ status }) => ![200, 201, 404, 409].includes(status));
    expect(refused).toEqual([]);
    expect((await asAdmin('GET', `/event-rules/${id}`)).status).toBe(404);
    const left = await within(async (tx) => ({
      secrets: await tx('event_rule_secrets').where({ event_rule_id: id }),
      rule: await tx('event_rules').where({ id }).first('deleted_at'),
    }));
    expect(left).toEqual({ secrets: [], rule: { deleted_at: expect.any(Date) } });
  }
});
