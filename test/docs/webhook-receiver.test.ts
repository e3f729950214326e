import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createReceiver,
  type Verify,
  verifyByHand,
  verifyWithLibrary,
  type WebhookEvent,
} from '../../docs/webhook-receiver/receiver.js';
import { anotherSecret, deliver, forgeries, genuine, secret } from './deliver.js';

type OnEvent = (event: WebhookEvent) => Promise<void>;

/** The receiver of the documentation, until the test ends, and what it kept. */
async function startReceiver(verify: Verify, onEvent: OnEvent = async () => undefined, own = secret) {
  const kept: string[] = [];
  const keep: OnEvent = async (event) => {
    await onEvent(event);
    kept.push(event.id);
  };
  const server = createReceiver(own, keep, verify);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, kept };
}

describe.each([
  ['by hand', verifyByHand],
  ['with the library', verifyWithLibrary],
])('the receiver of the documentation, checking %s,', (_way, verify) => {
  it.each(genuine)('takes a delivery %s', async (_what, told) => {
    const { url, kept } = await startReceiver(verify);
    const eventUuid = randomUUID();
    expect(await deliver(url, { ...told, eventUuid })).toBe(204);
    expect(kept).toEqual([eventUuid]);
  });

  it('takes one by a secret of its own choice', async () => {
    const { url, kept } = await startReceiver(verify, undefined, anotherSecret);
    expect(await deliver(url, { secrets: [anotherSecret] })).toBe(204);
    expect(kept).toHaveLength(1);
  });

  it.each(forgeries)('refuses one %s', async (_what, told) => {
    const { url, kept } = await startReceiver(verify);
    expect(await deliver(url, told)).toBe(401);
    expect(kept).toEqual([]);
  });

  it('takes an event once, of fifty that come at once and of one that comes later', async () => {
    const { url, kept } = await startReceiver(verify);
    const eventUuid = randomUUID();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => deliver(url, { eventUuid })));
    expect(statuses.every((status) => status === 204)).toBe(true);
    expect(await deliver(url, { eventUuid, secondsAgo: 60 })).toBe(204);
    expect(kept).toEqual([eventUuid]);
  });

  it('wants an event again that it could not keep', async () => {
    const failures = [new Error('the queue is full')];
    const { url, kept } = await startReceiver(verify, async () => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    });
    const eventUuid = randomUUID();
    expect(await deliver(url, { eventUuid })).toBe(500);
    expect(await deliver(url, { eventUuid })).toBe(204);
    expect(kept).toEqual([eventUuid]);
  });

  it('answers one that comes again while it is being kept by what becomes of that', async () => {
    let begun = (): void => {};
    const keeping = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let fail = (): void => {};
    const failing = new Promise<void>((_, reject) => {
      fail = () => reject(new Error('the queue is full'));
    });
    const { url, kept } = await startReceiver(verify, () => {
      begun();
      return failing;
    });
    const eventUuid = randomUUID();
    const first = deliver(url, { eventUuid });
    await keeping;
    const second = deliver(url, { eventUuid });
    // By the time that this one is refused, the second has come as well.
    expect(await deliver(url, { secrets: [] })).toBe(401);
    fail();

    expect(await Promise.all([first, second])).toEqual([500, 500]);
    expect(kept).toEqual([]);
  });
});

describe('the receiver of the documentation', () => {
  it('takes nothing but a POST of bounded length', async () => {
    const { url } = await startReceiver(verifyByHand);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: 'a'.repeat(17 << 20) })).status).toBe(413);
  });
});
