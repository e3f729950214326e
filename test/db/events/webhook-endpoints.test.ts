import { describe, expect, it } from 'vitest';
import { insertEventRule } from '../../../db/events/event-rules.js';
import { removeUnusedEndpoints, removeUnusedHosts } from '../../../db/events/forget-events.js';
import { webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import type { Tx } from '../../../db/tx.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { randomTag } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const now = new Date('2026-03-01T12:00:00Z');
const newUrl = () => `https://receiver.example.com/${randomTag()}`;

const addRule = (tx: Tx, webhookEndpointId: number) =>
  insertEventRule(tx, {
    name: 'Chats',
    eventType: 'chat:created',
    actionType: 'webhook:send',
    webhookEndpointId,
    createdByMemberId: null,
    createdAt: now,
  });

describe('webhookEndpointAt', () => {
  it('returns one receiver for each URL, however many calls run at once', async () => {
    const url = newUrl();
    const ids = await Promise.all(
      Array.from({ length: 50 }, () => suite.workspace.within((tx) => webhookEndpointAt(tx, url, now))),
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('protects the receiver from deletion until a rule refers to it', async () => {
    const url = newUrl();
    const id = await suite.workspace.within((tx) => webhookEndpointAt(tx, url, now));
    await suite.workspace.within(async (tx) => {
      expect(await webhookEndpointAt(tx, url, now)).toBe(id);
      await suite.workspace.within((other) => removeUnusedEndpoints(other, 100));
      await addRule(tx, id);
    });
  });

  it('creates a new receiver when the existing one is deleted at the same time', async () => {
    const url = newUrl();
    const id = await suite.workspace.within((tx) => webhookEndpointAt(tx, url, now));
    let adding: Promise<unknown> = Promise.resolve();
    await suite.workspace.within(async (tx) => {
      expect(await removeUnusedEndpoints(tx, 100)).toBeGreaterThan(0);
      adding = suite.workspace.within(async (other) =>
        addRule(other, await webhookEndpointAt(other, url, now)),
      );
      await whenWaitedFor(tx);
    });
    expect(await adding).toMatchObject({ webhookEndpointId: expect.any(Number) });
    expect(await suite.workspace.within((tx) => webhookEndpointAt(tx, url, now))).not.toBe(id);
  });
});

describe('the host of a receiver', () => {
  const hostOf = (tx: Tx, id: number) =>
    tx('webhook_endpoints as e')
      .join('webhook_hosts as h', 'h.id', 'e.webhook_host_id')
      .where('e.id', id)
      .first('h.id', 'h.host');

  it.each([
    ['https://a.example.com/', 'a.example.com'],
    ['https://a.example.com:8443/path?query=b.example.com:1', 'a.example.com'],
    ['https://a.example.com/https://b.example.com/', 'a.example.com'],
    ['http://192.0.2.1:8080/', '192.0.2.1'],
    ['https://[2001:db8::1]:8443/hooks', '[2001:db8::1]'],
    ['https://xn--mnchen-3ya.example/', 'xn--mnchen-3ya.example'],
  ])('for %s is %s', async (url, host) => {
    expect(new URL(url).hostname).toBe(host);
    expect(
      await suite.workspace.within(async (tx) => hostOf(tx, await webhookEndpointAt(tx, url, now))),
    ).toMatchObject({
      host,
    });
  });

  it('is the same for all its URLs, also when they are added at once', async () => {
    const hosts = await Promise.all(
      Array.from({ length: 50 }, () =>
        suite.workspace.within(async (tx) => hostOf(tx, await webhookEndpointAt(tx, newUrl(), now))),
      ),
    );
    expect(new Set(hosts.map(({ id }) => id)).size).toBe(1);
  });

  it('is deleted after its last receiver, and created again when a receiver is added at the same time', async () => {
    const name = `${randomTag()}.example.com`;
    const add = (path: string) =>
      suite.workspace.within(async (tx) =>
        hostOf(tx, await webhookEndpointAt(tx, `https://${name}/${path}`, now)),
      );
    const before = await add('one');
    await suite.workspace.within((tx) => removeUnusedEndpoints(tx, 1_000));
    let adding: Promise<{ id: number } | undefined> = Promise.resolve(undefined);
    await suite.workspace.within(async (tx) => {
      expect(await removeUnusedHosts(tx, 1_000)).toBeGreaterThan(0);
      adding = add('two');
      await whenWaitedFor(tx);
    });

    expect(await adding).toMatchObject({ host: name });
    expect((await adding)?.id).not.toBe(before.id);
  });
});
