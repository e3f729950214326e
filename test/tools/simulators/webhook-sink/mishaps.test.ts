import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../support/lib/wait-for.js';
import { ask } from '../simulator-client.js';
import { type SinkClient, startSinkClient } from './client.js';

let sink: SinkClient;

beforeAll(async () => {
  sink = await startSinkClient();
});
afterEach(async () => {
  await sink.ask('DELETE', '/knobs');
  await sink.ask('DELETE', '/deliveries');
});
afterAll(() => sink.close());

const plan = (...mishaps: object[]) => sink.ask('POST', '/knobs', { mishaps });
const statuses = async (name: string, times: number) => {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) seen.push((await sink.post(name)).status);
  return seen;
};
/** Posts a webhook and disconnects once it has arrived. */
async function postAndLeave(name: string): Promise<void> {
  const leaving = new AbortController();
  const post = fetch(`${sink.url}/hooks/${name}`, { method: 'POST', body: '{}', signal: leaving.signal });
  const left = expect(post).rejects.toMatchObject({ name: 'AbortError' });
  await waitFor('it has come', async () => (await sink.received(`?name=${name}`)).length === 1);
  leaving.abort();
  await left;
}
const answered = async () => (await sink.received()).map((webhook) => webhook.answered);

describe('a mishap of the webhook sink', () => {
  it('returns a status with Retry-After, a number of times or always', async () => {
    await plan({ answer: 'status', status: 429, chance: 2, retryAfter: 7 });
    const first = await sink.post('one');
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await statuses('one', 2)).toEqual([429, 200]);

    await plan({ answer: 'status', status: 410 });
    expect(await statuses('one', 3)).toEqual([410, 410, 410]);
    expect(await sink.summaryOf('one')).toMatchObject({ came: 6, taken: 1 });
  });

  it('can be limited to one receiver', async () => {
    await sink.ask('POST', '/knobs', { name: 'dead', mishaps: [{ answer: 'status', status: 500 }] });
    expect(await statuses('dead', 1)).toEqual([500]);
    expect(await statuses('alive', 1)).toEqual([200]);
    expect(await sink.ask('GET', '/knobs?name=alive')).toEqual({ latencyMs: 0, mishaps: [] });
  });

  it('occurs with a probability, with the same results for the same seed', async () => {
    const draw = async () => {
      await sink.ask('POST', '/knobs', { seed: 5, mishaps: [{ answer: 'status', chance: 0.4 }] });
      return statuses('random', 40);
    };
    const first = await draw();
    expect(first.filter((status) => status === 503).length).toBeGreaterThan(5);
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(5);
    expect(await draw()).toEqual(first);
  });

  it('is taken from the first matching one of several', async () => {
    await plan({ answer: 'status', status: 500, chance: 1 }, { answer: 'status', status: 502, chance: 1 });
    expect(await statuses('one', 3)).toEqual([500, 502, 200]);
  });

  it('returns a redirect', async () => {
    await plan({ answer: 'redirect', chance: 1 });
    const answer = await sink.post('one');
    expect([answer.status, answer.headers.get('location')]).toEqual([307, '/hooks/one-redirected']);
    await plan({ answer: 'redirect', chance: 1, status: 302, location: 'http://elsewhere.example/' });
    expect((await sink.post('one')).headers.get('location')).toBe('http://elsewhere.example/');
  });

  it('resets the connection or returns a response that is not HTTP', async () => {
    await plan({ answer: 'reset', chance: 1 }, { answer: 'garbage', chance: 1 });
    await expect(sink.post('one')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await expect(sink.post('one')).rejects.toMatchObject({ cause: { code: 'HPE_INVALID_CONSTANT' } });
    expect(await answered()).toEqual(['reset', 'garbage']);
    expect(await statuses('one', 1)).toEqual([200]);
  });

  it('gives no answer', async () => {
    await plan({ answer: 'hang', chance: 1 });
    await postAndLeave('one');
    expect(await answered()).toEqual(['hang']);
  });

  it('returns a huge response', async () => {
    await plan({ answer: 'huge', bytes: 3_000_001 });
    const answer = await sink.post('one');
    expect((await answer.arrayBuffer()).byteLength).toBe(3_000_001);
    expect(await sink.summaryOf('one')).toMatchObject({ taken: 1 });
  });

  it('returns an endless slow response', async () => {
    await plan({ answer: 'drip', everyMs: 5, status: 500 });
    const { status, body } = await sink.post('one');
    const reader = body?.getReader();
    const drops: number[] = [];
    for (let read = 0; read < 3; read += 1) drops.push((await reader?.read())?.value?.length ?? 0);
    await reader?.cancel();
    expect(status).toBe(500);
    expect(drops.every((drop) => drop >= 1 && drop < 20)).toBe(true);
  });

  it('delays the response, even beyond the client’s disconnect', async () => {
    await sink.ask('POST', '/knobs', { latencyMs: 100 });
    const started = performance.now();
    await sink.post('slow');
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
    await sink.ask('POST', '/knobs', { latencyMs: 500 });
    await postAndLeave('gone');
    await waitFor('it has noticed', async () => (await answered()).includes('gone'));
    expect(await sink.summaryOf('gone')).toMatchObject({ came: 1, taken: 0 });
  });
});

it.each([
  [{ mishap: [] }],
  [{ mishaps: {} }],
  [{ mishaps: ['reset'] }],
  [{ mishaps: [{ answer: 'explode' }] }],
  [{ mishaps: [{ answer: 'status', status: 199 }] }],
  [{ mishaps: [{ answer: 'status', chance: -1 }] }],
  [{ mishaps: [{ answer: 'status', sattus: 500 }] }],
  [{ mishaps: [{ answer: 'drip', everyMs: 0 }] }],
  [{ latencyMs: -1 }],
])('refuses the knobs %j', async (knobs) => {
  expect((await ask(sink.url, 'POST', '/knobs', knobs)).status).toBe(400);
});

it('refuses a malformed path and continues', async () => {
  expect((await ask(sink.url, 'POST', '/hooks/%zz')).status).toBe(400);
  expect(await statuses('one', 1)).toEqual([200]);
});
