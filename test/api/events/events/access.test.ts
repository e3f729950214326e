import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addEvent } from '../../../support/webhooks/webhook-history.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();
let eventPath: string;

beforeAll(async () => {
  eventPath = `/events/${(await addEvent(workspace)).uuid}`;
});

describeAccess(
  () => ({ api, workspace, otherWorkspace }),
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
    const reader = await addMember(workspace, { permissions: ['event_rules:read'] });
    const call = as(reader);

    expect((await call('GET', '/events')).status).toBe(200);
    expect((await call('GET', eventPath)).status).toBe(200);
  });

  it('hides events of another workspace', async () => {
    const foreign = await addEvent(otherWorkspace);
    const { body } = await asAdmin('GET', '/events');

    expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(foreign.uuid);
    expect(body.total).toBe(1);
    expect((await asAdmin('GET', `/events/${foreign.uuid}`)).status).toBe(404);
  });

  it('returns 404 for an unknown event and 400 for a malformed id', async () => {
    const get = (id: string) => asAdmin('GET', `/events/${id}`);

    expect(await get(randomUUID())).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const answer = await get('7');
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set(['/event_id']));
  });
});
