import { randomUUID } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { beforeEach, describe, expect, it } from 'vitest';
import { maxNewHosts } from '../../../../domain/events/event-rules/receiver.js';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { recordAttempt } from '../../../../domain/events/webhook-deliveries/record-attempt.js';
import { AddressPolicy } from '../../../../providers/webhook/address-policy.js';
import { startApi } from '../../../support/api/api.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { addEventRule, eventRuleBody } from '../../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const known: Record<string, string[]> = {
  'receiver.example.com': ['93.184.215.14'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.215.14', '127.0.0.1'],
};

async function resolve(hostname: string): Promise<LookupAddress[]> {
  return (known[hostname] ?? []).map((address) => ({ address, family: 4 }));
}

const webhookAddresses = new AddressPolicy({ requireHttps: true, allowedNetworks: [], resolve });
const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));
const { database, api, workspace, asAdmin } = useApi({ webhookAddresses, clock });

const create = (webhookUrl: string) => asAdmin('POST', '/event-rules', eventRuleBody({ webhookUrl }));

describe('a receiver URL', () => {
  it.each([
    ['https_required', 'http://receiver.example.com/'],
    ['invalid_url', 'ftp://receiver.example.com/'],
    ['invalid_url', 'receiver.example.com'],
    ['invalid_url', 'https://user:secret-in-url@receiver.example.com/'],
    ['invalid_url', 'https://receiver.example.com/#secret-in-url'],
    ['invalid_url', 'https://receiver.example.com/#'],
    ['invalid_url', `https://receiver.example.com/${'ü'.repeat(400)}`],
    ['address_refused', 'https://127.0.0.1/'],
    ['address_refused', 'https://[::ffff:10.0.0.1]/'],
    ['address_refused', 'https://localhost/'],
    ['address_refused', 'https://inside.example.com/'],
    ['address_refused', 'https://both.example.com/'],
  ])('is refused with code %s, and the answer names the field and not the URL', async (code, webhookUrl) => {
    const pointer = '/actionParams/webhookUrl';
    const { id } = await addEventRule(workspace);
    const change = { actionParams: { webhookUrl } };
    for (const answer of [await create(webhookUrl), await asAdmin('PUT', `/event-rules/${id}`, change)]) {
      expect(answer).toMatchObject({ status: 400, body: { code, errors: [{ pointer }] } });
      expect(JSON.stringify(answer.body)).not.toContain('secret-in-url');
    }
  });

  it.each([
    'https://receiver.example.com/hooks?token=1',
    'https://not-there-yet.example.com/',
    'https://93.184.215.14/',
  ])('is accepted: %s', async (webhookUrl) => {
    expect(await create(webhookUrl)).toMatchObject({ status: 201, body: { actionParams: { webhookUrl } } });
  });

  it('is normalised, so that equivalent URLs share one receiver', async () => {
    const ids: number[] = [];
    for (const url of ['https://receiver.example.com', 'HTTPS://receiver.EXAMPLE.com:443/']) {
      ids.push((await create(url)).body.id);
    }
    const found = await workspace.within((tx) =>
      tx('event_rules').whereIn('id', ids).distinct('webhook_endpoint_id'),
    );
    expect(found).toHaveLength(1);
  });
});

describe('the address check of a receiver URL', () => {
  /** An api whose address checks wait until they are released. */
  async function waitingApi() {
    let release = (): void => {};
    let asked = (): void => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    const begun = new Promise<void>((done) => {
      asked = done;
    });
    const waiting = await startApi(workspace.database, {
      webhookAddresses: {
        async check() {
          asked();
          await released;
          return undefined;
        },
      },
    });
    return { api: waiting, begun, release };
  }

  it('runs outside a transaction, also under an Idempotency-Key', async () => {
    const { api: slow, begun, release } = await waitingApi();
    const creating = slow.request('POST', workspace.path('/event-rules'), {
      apiKey: workspace.admin.apiKey,
      headers: { 'Idempotency-Key': randomUUID() },
      body: eventRuleBody({ webhookUrl: 'https://receiver.example.com/slow' }),
    });
    await begun;
    const open = await workspace.within((tx) =>
      tx('pg_stat_activity')
        .whereRaw("datname = current_database() and state like 'idle in transaction%'")
        .select('pid'),
    );
    release();
    expect((await creating).status).toBe(201);
    expect(open).toEqual([]);
    await slow.close();
  });

  it('runs after the permission check, so that unauthorised callers cannot trigger DNS look-ups', async () => {
    const asked: string[] = [];
    const watched = await startApi(workspace.database, {
      webhookAddresses: {
        async check(url) {
          asked.push(url);
          return undefined;
        },
      },
    });
    const stranger = callAs(watched, workspace, workspace.member);
    expect((await stranger('POST', '/event-rules', eventRuleBody())).status).toBe(403);
    expect(asked).toEqual([]);
    await watched.close();
  });
});

describe('the host of a receiver URL', () => {
  let place: TestWorkspace;
  let call: ReturnType<typeof callAs>;
  beforeEach(async () => {
    place = await createWorkspace(database.database);
    call = callAs(api, place, place.admin);
  });
  const add = (webhookUrl: string) => call('POST', '/event-rules', eventRuleBody({ webhookUrl }));

  it('shows on an event rule when its receiver first answered, including answers to test events', async () => {
    const { body: rule } = await add('https://receiver.example.com/hooks');
    expect(rule).toMatchObject({ enabled: true, receiverAnsweredAt: null });
    const { body: delivery } = await call('POST', `/event-rules/${rule.id}/test`);
    const context = { db: place.database, clock, encryption: testEncryption };
    const ref = { workspaceId: place.workspaceId, deliveryId: delivery.id, ruleId: rule.id };
    const claimed = await claimAttempt(context, ref);
    if (claimed.kind !== 'claimed') throw new Error(`it is ${claimed.kind}`);

    const answered = { kind: 'answered', statusCode: 204, durationMs: 5, body: '' } as const;
    await recordAttempt({ ...context, retryDelaysMs: [0] }, claimed.attempt, answered);

    const receiverAnsweredAt = clock.now().toISOString();
    expect((await call('GET', `/event-rules/${rule.id}`)).body).toMatchObject({ receiverAnsweredAt });
    expect((await add('https://receiver.example.com:8443/others')).body).toMatchObject({
      receiverAnsweredAt,
    });
  });

  it('limits new receiver hosts per workspace and day, but not further URLs of known hosts', async () => {
    const { body: rule } = await add('https://first.example.com/hooks');
    await place.database.inWorkspace(place.workspaceId, (tx) =>
      tx('webhook_hosts').insert(
        Array.from({ length: maxNewHosts - 2 }, (_, index) => ({
          workspace_id: place.workspaceId,
          host: `host-${index}.example.com`,
          created_at: clock.now(),
        })),
      ),
    );
    const move = (webhookUrl: string) =>
      call('PUT', `/event-rules/${rule.id}`, { actionParams: { webhookUrl } });
    expect((await move('https://last.example.com/hooks')).status).toBe(200);

    const refused = { status: 409, body: { code: 'too_many_new_receivers' } };
    expect(await move('https://more.example.com/hooks')).toMatchObject(refused);
    expect(await add('https://more.example.com/hooks')).toMatchObject(refused);
    expect((await call('GET', '/event-rules')).body).toMatchObject({ total: 1 });
    expect((await add('https://first.example.com/others')).status).toBe(201);
    clock.advance(hours(24));
    expect((await add('https://more.example.com/hooks')).status).toBe(201);
  });
});
