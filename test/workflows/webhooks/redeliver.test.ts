import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callAs } from '../../support/api/call-as.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';

let system: TestSystem;
let receiver: WebhookReceiver;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await startSystem({ retryDelaysMs: [0, 0] });
  receiver = await startWebhookReceiver();
  workspace = await createWorkspace(system.database);
});
afterAll(async () => {
  await system.stop();
  await receiver.close();
});

const ended = (uuid = '') =>
  waitFor('the run has ended', async () => system.run('deliverWebhook', uuid).result());

describe('redelivering failed events', () => {
  it('sends the same id and bytes, keeps the failed attempts listed, and delivers no event a third time', async () => {
    const path = '/was-away';
    const stage = await stageWebhooks(workspace, { url: receiver.url(path) });
    const call = callAs(system.api, workspace, workspace.admin);
    const below = `/event-rules/${stage.rule.id}`;
    receiver.behave(() => ({ status: 503, body: 'Come back later.' }));
    const failed = await stage.happen(2);
    for (const { uuid } of failed) expect(await ended(uuid)).toEqual({ status: 'failed' });

    receiver.behave(() => ({ status: 200, body: 'Thank you.' }));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const answer = await call('POST', `${below}/redeliveries`, { since });
    expect(answer).toMatchObject({ status: 201, body: { redelivered: 2, more: false } });
    const listed = await call('GET', `${below}/deliveries`, undefined, { trigger: 'redelivery' });
    for (const { uuid } of listed.body.items) expect(await ended(uuid)).toEqual({ status: 'delivered' });

    const received = receiver.received(path);
    expect(received).toHaveLength(2 * 2 + 2);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    for (const { eventId } of listed.body.items) expect(ids.filter((id) => id === eventId)).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(2);

    const [first] = failed;
    const attempts = await call('GET', `${below}/deliveries/${first?.id}/attempts`);
    expect(attempts.body.items).toMatchObject([
      { number: 1, statusCode: 503, errorCode: null, responseBody: 'Come back later.' },
      { number: 2, statusCode: 503, errorCode: null, responseBody: 'Come back later.' },
    ]);
    const again = await call('POST', `${below}/redeliveries`, { since });
    expect(again.body).toEqual({ redelivered: 0, more: false });
    const one = await call('POST', `${below}/deliveries/${first?.id}/redeliver`);
    expect(await ended(one.body.uuid)).toEqual({ status: 'delivered' });
    const shown = await call('GET', `${below}/deliveries/${one.body.id}`);
    expect(shown.body).toMatchObject({ status: 'delivered', attemptCount: 1, lastStatusCode: 200 });
    expect(JSON.stringify(shown.body.payload)).toBe(receiver.received(path).at(-1)?.body);
  });
});
