import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anotherSecret, deliver, forgeries, genuine, secret } from '../docs/deliver.js';
import { waitFor } from '../support/wait-for.js';
import { installPythonTools } from './support/python-tools.js';
import { startReceiver } from './support/start-receiver.js';

let python: string;
beforeAll(async () => {
  python = resolve(await installPythonTools(), 'python');
});

/** The receivers of the documentation, as their readers run them. */
const programs = {
  TypeScript: () => ['node_modules/.bin/tsx', 'docs/webhook-receiver/receiver.ts'] as const,
  Python: () => [python, 'docs/webhook-receiver/receiver.py'] as const,
};

describe.each([
  ['Python', 'hand'],
  ['Python', 'library'],
  ['TypeScript', 'hand'],
  ['TypeScript', 'library'],
] as const)('the receiver in %s, checking by %s,', (language, way) => {
  async function start(own = secret) {
    const receiver = await startReceiver(programs[language](), way, own);
    onTestFinished(() => receiver.stop());
    return receiver;
  }

  it('takes what is ours, once, and refuses what is not', async () => {
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

  it('takes an event once, of fifty that come at once', async () => {
    const { url, kept } = await start();
    const [eventUuid, last] = [randomUUID(), randomUUID()];
    await Promise.all(Array.from({ length: 50 }, () => deliver(url, { eventUuid })));
    await deliver(url, { eventUuid: last });
    await waitFor('it has told of the last one', () => kept.includes(last));
    expect(kept).toEqual([eventUuid, last]);
  });

  it('takes a secret of its own choice', async () => {
    const { url } = await start(anotherSecret);
    expect(await deliver(url, { secrets: [anotherSecret] })).toBeLessThan(300);
    expect(await deliver(url)).toBe(401);
  });
});
