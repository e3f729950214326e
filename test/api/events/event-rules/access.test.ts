import { beforeAll, describe, expect, it } from 'vitest';
import { type AccessCase, describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as } = useApi();
let path: string;

beforeAll(async () => {
  path = `/event-rules/${(await addEventRule(workspace)).id}`;
});

const rule = {
  name: 'Chats',
  eventType: 'chat:created',
  actionType: 'webhook:send',
  actionParams: { webhookUrl: 'https://receiver.example.com/' },
};

// Deliveries of a rule contain data of all members, so reading rules needs the permission too.
const reads = { scope: 'event_rules:read', writes: true } as const;
const writes = { scope: 'event_rules:write', writes: true } as const;
const item = { namesItem: true } as const;
const names = ['list', 'create', 'get', 'update', 'delete', 'enable', 'disable', 'rotate-secret', 'test'];
const cases = (): AccessCase[] => [
  { ...reads, method: 'GET', path: '/event-rules', namesItem: false },
  { ...writes, method: 'POST', path: '/event-rules', body: rule, namesItem: false },
  { ...reads, ...item, method: 'GET', path },
  { ...writes, ...item, method: 'PUT', path, body: {} },
  { ...writes, ...item, method: 'DELETE', path },
  { ...writes, ...item, method: 'POST', path: `${path}/enable` },
  { ...writes, ...item, method: 'POST', path: `${path}/disable` },
  { ...writes, ...item, method: 'POST', path: `${path}/rotate-secret`, body: {} },
  { ...writes, ...item, method: 'POST', path: `${path}/test` },
];
describeAccess(() => ({ api, workspace, otherWorkspace }), names, cases);

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
