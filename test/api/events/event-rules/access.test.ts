import { beforeAll, describe, expect, it } from 'vitest';
import { type AccessCase, describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addEventRule, eventRuleBody } from '../../../support/webhooks/event-rules.js';
import { addDelivery } from '../../../support/webhooks/webhook-history.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();
let path: string;
let rulePath: string;
let deliveryPath: string;
let deliveryId: number;

beforeAll(async () => {
  path = `/event-rules/${(await addEventRule(workspace)).id}`;
  const rule = await addEventRule(workspace);
  deliveryId = (await addDelivery(workspace, rule.id, { attempts: 1 })).id;
  rulePath = `/event-rules/${rule.id}`;
  deliveryPath = `${rulePath}/deliveries/${deliveryId}`;
});

// Deliveries of a rule contain data of all members, so reading rules and deliveries needs the permission too.
const reads = { scope: 'event_rules:read', needsPermission: true } as const;
const writes = { scope: 'event_rules:write', needsPermission: true } as const;
const item = { namesItem: true } as const;
const names = ['list', 'create', 'get', 'update', 'delete', 'enable', 'disable', 'rotate-secret', 'test'];
const cases = (): AccessCase[] => [
  { ...reads, method: 'GET', path: '/event-rules', namesItem: false },
  { ...writes, method: 'POST', path: '/event-rules', body: eventRuleBody(), namesItem: false },
  { ...reads, ...item, method: 'GET', path },
  { ...writes, ...item, method: 'PUT', path, body: {} },
  { ...writes, ...item, method: 'DELETE', path },
  { ...writes, ...item, method: 'POST', path: `${path}/enable` },
  { ...writes, ...item, method: 'POST', path: `${path}/disable` },
  { ...writes, ...item, method: 'POST', path: `${path}/rotate-secret`, body: {} },
  { ...writes, ...item, method: 'POST', path: `${path}/test` },
];
describeAccess({ api, workspace, otherWorkspace }, names, cases);

describe('the permissions event_rules:read and event_rules:write', () => {
  it('do not include each other', async () => {
    const reader = await addMember(workspace, { permissions: ['event_rules:read'] });
    const read = as(reader);
    expect((await read('GET', path)).status).toBe(200);
    expect((await read('PUT', path, {})).status).toBe(403);

    const writer = await addMember(workspace, { permissions: ['event_rules:write'] });
    const write = as(writer);
    expect((await write('GET', path)).status).toBe(403);
    expect((await write('PUT', path, {})).status).toBe(200);
  });
});

const since = { since: '2030-01-01T00:00:00Z' };

describeAccess(
  { api, workspace, otherWorkspace },
  [
    'the list',
    'a delivery',
    'its attempts',
    'its redelivery',
    'its cancellation',
    'redeliveries',
    'what was missed',
  ],
  () => {
    const get = { ...reads, ...item, method: 'GET' } as const;
    const post = { ...writes, ...item, method: 'POST' } as const;
    return [
      { ...get, path: `${rulePath}/deliveries` },
      { ...get, path: deliveryPath },
      { ...get, path: `${deliveryPath}/attempts` },
      { ...post, path: `${deliveryPath}/redeliver` },
      { ...post, path: `${deliveryPath}/cancel` },
      { ...post, path: `${rulePath}/redeliveries`, body: since },
      { ...post, path: `${rulePath}/deliver-missed` },
    ];
  },
);

describe.each([
  { method: 'GET', below: '/deliveries', body: undefined },
  { method: 'GET', below: '/deliveries/:delivery', body: undefined },
  { method: 'GET', below: '/deliveries/:delivery/attempts', body: undefined },
  { method: 'POST', below: '/deliveries/:delivery/redeliver', body: undefined },
  { method: 'POST', below: '/deliveries/:delivery/cancel', body: undefined },
  { method: 'POST', below: '/redeliveries', body: since },
  { method: 'POST', below: '/deliver-missed', body: undefined },
])('$method …$below', ({ method, below, body }) => {
  const call = (rule: string, delivery: string | number = deliveryId) =>
    asAdmin(method, rule + below.replace(':delivery', String(delivery)), body);

  it.each(['999999999', '99999999999999999999'])('returns 404 for rule %s', async (id) => {
    expect(await call(`/event-rules/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('returns 404 for a deleted rule', async () => {
    const rule = await addEventRule(workspace);
    const { id } = await addDelivery(workspace, rule.id, { status: 'failed' });
    await workspace.within((tx) =>
      tx('event_rules').where({ id: rule.id }).update({ deleted_at: new Date() }),
    );

    expect(await call(`/event-rules/${rule.id}`, id)).toMatchObject({
      status: 404,
      body: { detail: 'Event rule not found.' },
    });
  });

  if (below.includes(':delivery')) {
    it.each(['999999999', '99999999999999999999'])('returns 404 for delivery %s', async (id) => {
      expect(await call(rulePath, id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    it('returns 404 for a delivery of another rule or workspace', async () => {
      const [sibling, foreign] = [await addEventRule(workspace), await addEventRule(otherWorkspace)];
      const others = [
        await addDelivery(workspace, sibling.id, { status: 'failed' }),
        await addDelivery(otherWorkspace, foreign.id, { status: 'failed' }),
      ];

      for (const { id } of others) {
        expect(await call(rulePath, id)).toMatchObject({
          status: 404,
          body: { detail: 'Delivery not found.' },
        });
      }
    });
  }
});

describe('the permission event_rules:read for deliveries', () => {
  it('allows reading deliveries, but not delivering again', async () => {
    const reader = await addMember(workspace, { permissions: ['event_rules:read'] });
    const call = as(reader);

    for (const path of [`${rulePath}/deliveries`, deliveryPath, `${deliveryPath}/attempts`])
      expect((await call('GET', path)).status).toBe(200);
    expect((await call('POST', `${deliveryPath}/redeliver`)).status).toBe(403);
    expect((await call('POST', `${deliveryPath}/cancel`)).status).toBe(403);
    expect((await call('POST', `${rulePath}/redeliveries`, since)).status).toBe(403);
    expect((await call('POST', `${rulePath}/deliver-missed`)).status).toBe(403);
  });
});
