import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anotherSecret, deliver, forgeries, genuine, secret } from '../docs/deliver.js';
import { waitFor } from '../support/lib/wait-for.js';
import { installPythonTools } from './support/python-tools.js';
import { startReceiver } from './support/start-receiver.js';

let python: string;
beforeAll(async () => {
  python = resolve(await installPythonTools(), 'python');
});

/** The commands that start the documented receivers, as readers of the documentation run them. */
const programs = {
  TypeScript: () => ['node_modules/.bin/tsx', 'docs/webhook-receiver/receiver.ts'] as const,
  Python: () => [python, 'docs/webhook-receiver/receiver.py'] as const,
};

/** Sends this text without ending the request. @returns the first data of the answer */
function sendUnended(url: string, text: string): Promise<string> {
  return new Promise((answered, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    onTestFinished(() => void socket.destroy());
    socket.on('data', (chunk) => answered(chunk.toString()));
    socket.setTimeout(10_000, () => socket.destroy(new Error('it waits for more')));
    socket.on('error', reject).on('close', () => reject(new Error('it is not answered')));
  });
}

describe.each([
  ['Python', 'hand'],
  ['Python', 'library'],
  ['TypeScript', 'hand'],
  ['TypeScript', 'library'],
] as const)('the documented receiver in %s, checking by %s,', (language, way) => {
  async function start(own = secret) {
    const receiver = await startReceiver(programs[language](), way, own);
    onTestFinished(() => receiver.stop());
    return receiver;
  }

  it('accepts each genuine delivery once and returns 401 for forgeries', async () => {
    const { url, kept } = await start();
    const sent: string[] = [];
    for (const [what, told] of genuine) {
      const eventUuid = randomUUID();
      sent.push(eventUuid);
      expect(await deliver(url, { ...told, eventUuid }), what).toBeLessThan(300);
      expect(await deliver(url, { ...told, eventUuid }), `${what}, again`).toBeLessThan(300);
    }
    for (const [what, told] of forgeries) expect(await deliver(url, told), what).toBe(401);
    const last = randomUUID();
    await deliver(url, { eventUuid: last });
    await waitFor('it has told of the last one', () => kept.includes(last));
    expect(kept).toEqual([...sent, last]);
  });

  it('keeps an event once for fifty concurrent deliveries', async () => {
    const { url, kept } = await start();
    const [eventUuid, last] = [randomUUID(), randomUUID()];
    await Promise.all(Array.from({ length: 50 }, () => deliver(url, { eventUuid })));
    await deliver(url, { eventUuid: last });
    await waitFor('it has told of the last one', () => kept.includes(last));
    expect(kept).toEqual([eventUuid, last]);
  });

  it.each(['Content-Length: -1', 'Content-Length: 1e3', 'Content-Length: 999999999', 'X-Nothing: told'])(
    'rejects a request before its body after %s',
    async (header) => {
      const { url } = await start();
      const answer = await sendUnended(url, `POST /hooks HTTP/1.1\r\nHost: receiver\r\n${header}\r\n\r\n{`);
      expect(answer).toMatch(/^HTTP\/1\.1 4(00|13) /);
    },
  );

  it('accepts its configured secret', async () => {
    const { url } = await start(anotherSecret);
    expect(await deliver(url, { secrets: [anotherSecret] })).toBeLessThan(300);
    expect(await deliver(url)).toBe(401);
  });
});
