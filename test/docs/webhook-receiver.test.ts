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

/** A receiver of the documentation that runs until the test ends, and the ids of the events it has kept. */
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
])('the documented webhook receiver, checking %s,', (_way, verify) => {
  it.each(genuine)('accepts a delivery %s', async (_what, told) => {
    const { url, kept } = await startReceiver(verify);
    const eventUuid = randomUUID();
    expect(await deliver(url, { ...told, eventUuid })).toBe(204);
    expect(kept).toEqual([eventUuid]);
  });

  it('accepts a delivery with its configured secret', async () => {
    const { url, kept } = await startReceiver(verify, undefined, anotherSecret);
    expect(await deliver(url, { secrets: [anotherSecret] })).toBe(204);
    expect(kept).toHaveLength(1);
  });

  it.each(forgeries)('returns 401 for a delivery %s', async (_what, told) => {
    const { url, kept } = await startReceiver(verify);
    expect(await deliver(url, told)).toBe(401);
    expect(kept).toEqual([]);
  });

  it('keeps an event once for fifty concurrent deliveries and a later one', async () => {
    const { url, kept } = await startReceiver(verify);
    const eventUuid = randomUUID();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => deliver(url, { eventUuid })));
    expect(statuses.every((status) => status === 204)).toBe(true);
    expect(await deliver(url, { eventUuid, secondsAgo: 60 })).toBe(204);
    expect(kept).toEqual([eventUuid]);
  });

  it('returns 500 for an event it cannot keep, and accepts its retry', async () => {
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

  it('answers a concurrent repetition with the result of the first delivery', async () => {
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
    // The receiver has received the second delivery by the time this one is rejected.
    expect(await deliver(url, { secrets: [] })).toBe(401);
    fail();

    expect(await Promise.all([first, second])).toEqual([500, 500]);
    expect(kept).toEqual([]);
  });
});

it('the documented webhook receiver accepts only POST requests of bounded length', async () => {
  const { url } = await startReceiver(verifyByHand);
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url, { method: 'POST', body: 'a'.repeat(17 << 20) })).status).toBe(413);
});
