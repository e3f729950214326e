import { randomUUID } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { AddressPolicy } from '../../../../providers/webhook/address-policy.js';
import { startApi } from '../../../support/api/api.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';

const known: Record<string, string[]> = {
  'receiver.example.com': ['93.184.215.14'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.215.14', '127.0.0.1'],
};

async function resolve(hostname: string): Promise<LookupAddress[]> {
  return (known[hostname] ?? []).map((address) => ({ address, family: 4 }));
}

const webhookAddresses = new AddressPolicy({ requireHttps: true, allowedNetworks: [], resolve });
const { workspace, asAdmin } = useApi({ webhookAddresses });

const create = (webhookUrl: string) =>
  asAdmin('POST', '/event-rules', {
    name: 'Chats',
    eventType: 'chat:created',
    actionType: 'webhook:send',
    actionParams: { webhookUrl },
  });

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
    const found = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
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
      body: {
        name: 'Chats',
        eventType: 'chat:created',
        actionType: 'webhook:send',
        actionParams: { webhookUrl: 'https://receiver.example.com/slow' },
      },
    });
    await begun;
    const open = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
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
    const actionParams = { webhookUrl: 'https://receiver.example.com/' };
    const body = { name: 'Chats', eventType: 'chat:created', actionType: 'webhook:send', actionParams };
    expect((await stranger('POST', '/event-rules', body)).status).toBe(403);
    expect(asked).toEqual([]);
    await watched.close();
  });
});
