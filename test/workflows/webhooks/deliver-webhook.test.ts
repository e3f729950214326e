import { describe, expect, it } from 'vitest';
import { callAs } from '../../support/api/call-as.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { useWebhookSystem } from '../../support/webhooks/use-webhook-system.js';
import { stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';

const { system, receiver } = useWebhookSystem({ retryDelaysMs: [0, 0, 0] });

const stageAt = async (path: string) =>
  stageWebhooks(await createWorkspace(system.database), { url: receiver.url(path) });

/** The outcome of the run, which the relay may not have started yet. */
const outcome = (uuid = '') =>
  waitFor('the run has ended', async () => system.run('deliverWebhook', uuid).result());

describe('the deliverWebhook run', () => {
  it('posts an event once, records the attempt and completes', async () => {
    const stage = await stageAt('/taken');
    const [delivery] = await stage.happen();

    expect(await outcome(delivery?.uuid)).toEqual({ status: 'delivered', attempts: 1 });

    expect(await stage.deliveries()).toMatchObject([
      { status: 'delivered', attempt_count: 1, last_status_code: 204, next_attempt_at: null },
    ]);
    expect(await stage.attempts(delivery?.id ?? 0)).toMatchObject([
      { number: 1, status_code: 204, error_code: null, finished_at: expect.any(Date) },
    ]);
    expect(receiver.received('/taken')).toHaveLength(1);
  });

  it('retries a failing event with the same id and bytes until the attempts are used up', async () => {
    const stage = await stageAt('/fails');
    receiver.behave(({ path }) => (path === '/fails' ? { status: 503, body: 'no' } : {}));
    const [delivery] = await stage.happen();

    expect(await outcome(delivery?.uuid)).toEqual({ status: 'failed', attempts: 3 });

    expect(await stage.deliveries()).toMatchObject([
      { status: 'failed', failure_reason: 'attempts_exhausted', attempt_count: 3, last_status_code: 503 },
    ]);
    const received = receiver.received('/fails');
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('attempting a delivery now', () => {
  it('ends the wait of its run for the next attempt, which is made at once', async () => {
    const workspace = await createWorkspace(system.database);
    const stage = await stageWebhooks(workspace, { url: receiver.url('/mended') });
    const call = callAs(system.api, workspace, workspace.admin);
    receiver.behave(({ path }) =>
      path === '/mended' && receiver.received(path).length === 1
        ? { status: 503, headers: { 'retry-after': '3600' } }
        : {},
    );
    const [delivery] = await stage.happen();
    const below = `/event-rules/${stage.rule.id}/deliveries/${delivery?.id}`;
    await waitFor('it has failed once', async () => {
      const { attemptCount, lastStatusCode } = (await call('GET', below)).body;
      return attemptCount === 1 && lastStatusCode === 503;
    });

    expect((await call('POST', `${below}/attempt-now`)).status).toBe(200);

    expect(await outcome(delivery?.uuid)).toEqual({ status: 'delivered', attempts: 2 });
    expect(receiver.received('/mended')).toHaveLength(2);
  });
});

describe('redelivering failed events', () => {
  it('sends the same id and bytes, keeps the failed attempts listed, and delivers no event a third time', async () => {
    const path = '/was-away';
    const workspace = await createWorkspace(system.database);
    const stage = await stageWebhooks(workspace, { url: receiver.url(path) });
    const call = callAs(system.api, workspace, workspace.admin);
    const below = `/event-rules/${stage.rule.id}`;
    receiver.behave(() => ({ status: 503, body: 'Come back later.' }));
    const failed = await stage.happen(2);
    for (const { uuid } of failed) expect(await outcome(uuid)).toEqual({ status: 'failed', attempts: 3 });

    receiver.behave(() => ({ status: 200, body: 'Thank you.' }));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const answer = await call('POST', `${below}/redeliveries`, { since });
    expect(answer).toMatchObject({ status: 201, body: { redelivered: 2, more: false } });
    const listed = await call('GET', `${below}/deliveries`, undefined, { trigger: 'redelivery' });
    for (const { uuid } of listed.body.items)
      expect(await outcome(uuid)).toEqual({ status: 'delivered', attempts: 1 });

    const received = receiver.received(path);
    expect(received).toHaveLength(2 * 3 + 2);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    for (const { eventId } of listed.body.items) expect(ids.filter((id) => id === eventId)).toHaveLength(4);
    expect(new Set(received.map(({ body }) => body)).size).toBe(2);

    const [first] = failed;
    const attempts = await call('GET', `${below}/deliveries/${first?.id}/attempts`);
    const refused = { statusCode: 503, errorCode: null, responseBody: 'Come back later.' };
    expect(attempts.body.items).toMatchObject([1, 2, 3].map((number) => ({ number, ...refused })));
    const again = await call('POST', `${below}/redeliveries`, { since });
    expect(again.body).toEqual({ redelivered: 0, more: false });
    const one = await call('POST', `${below}/deliveries/${first?.id}/redeliver`);
    expect(await outcome(one.body.uuid)).toEqual({ status: 'delivered', attempts: 1 });
    const shown = await call('GET', `${below}/deliveries/${one.body.id}`);
    expect(shown.body).toMatchObject({ status: 'delivered', attemptCount: 1, lastStatusCode: 200 });
    expect(JSON.stringify(shown.body.payload)).toBe(receiver.received(path).at(-1)?.body);
  });
});
