import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/access-cases.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { callAs, pointersOf } from '../../../support/call-as.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/factories.js';
import { useWorkspace } from '../../../support/use-workspace.js';
import { addEvent } from '../../../support/webhook-history.js';

const suite = useWorkspace();
let api: TestApi;
let otherWorkspace: TestWorkspace;
let eventPath: string;

beforeAll(async () => {
  api = await startApi(suite.database.database);
  otherWorkspace = await createWorkspace(suite.database.database);
  eventPath = `/events/${(await addEvent(suite.workspace)).uuid}`;
});
afterAll(() => api.close());

describeAccess(
  () => ({ api, workspace: suite.workspace, otherWorkspace }),
  ['the list of events', 'an event'],
  () => {
    // Payloads contain data of all members, so reading events needs the permission too.
    const reads = { method: 'GET', scope: 'event_rules:read', writes: true } as const;
    return [
      { ...reads, path: '/events', namesItem: false },
      { ...reads, path: eventPath, namesItem: true },
    ];
  },
);

describe('access to events', () => {
  it('requires only event_rules:read', async () => {
    const reader = await addMember(suite.workspace, { permissions: ['event_rules:read'] });
    const call = callAs(api, suite.workspace, reader);

    expect((await call('GET', '/events')).status).toBe(200);
    expect((await call('GET', eventPath)).status).toBe(200);
  });

  it('hides events of another workspace', async () => {
    const foreign = await addEvent(otherWorkspace);
    const call = callAs(api, suite.workspace, suite.workspace.admin);

    const { body } = await call('GET', '/events');

    expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(foreign.uuid);
    expect(body.total).toBe(1);
    expect((await call('GET', `/events/${foreign.uuid}`)).status).toBe(404);
  });

  it('returns 404 for an unknown event and 400 for a malformed id', async () => {
    const get = (id: string) => callAs(api, suite.workspace, suite.workspace.admin)('GET', `/events/${id}`);

    expect(await get(randomUUID())).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const answer = await get('7');
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set(['/event_id']));
  });
});
