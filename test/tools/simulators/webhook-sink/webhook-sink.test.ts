import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../support/lib/wait-for.js';
import { ask } from '../simulator-client.js';
import { type SinkClient, signedHeaders, startSinkClient } from './client.js';

let sink: SinkClient;

beforeAll(async () => {
  sink = await startSinkClient();
});
afterEach(async () => {
  await sink.ask('DELETE', '/knobs');
  await sink.ask('DELETE', '/deliveries');
});
afterAll(() => sink.close());

describe('the webhooks at the webhook sink', () => {
  it('are listed in order, for one name or all, optionally after a number', async () => {
    expect((await sink.post('one', { id: 'a', body: '{"n": 1}' })).status).toBe(200);
    await sink.post('two', { id: 'b' });
    await sink.post('one', { id: 'c' });

    const all = await sink.received();
    expect(all.map(({ name, id }) => [name, id])).toEqual([
      ['one', 'a'],
      ['two', 'b'],
      ['one', 'c'],
    ]);
    expect(all[0]).toMatchObject({
      body: '{"n": 1}',
      headers: { 'webhook-id': 'a' },
      answered: '200',
      signature: 'unchecked',
      receivedAt: expect.any(String),
    });
    expect((await sink.received('?name=one')).map(({ id }) => id)).toEqual(['a', 'c']);
    expect((await sink.received(`?after=${all[0]?.sequence}`)).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(await sink.ask('GET', '/hooks')).toContainEqual({ name: 'one', came: 2, taken: 2, ids: 2 });
  });

  it('are kept up to a thousand for each name, and summarised beyond', async () => {
    for (let sent = 0; sent < 1_050; sent += 50) {
      const post = (_: unknown, index: number) => sink.post('many', { id: `${sent + index}` });
      await Promise.all(Array.from({ length: 50 }, post));
    }
    await sink.post('few', { id: 'kept' });

    expect(await sink.received('?name=many')).toHaveLength(1_000);
    expect(await sink.received('?name=few')).toHaveLength(1);
    expect(await sink.summaryOf('many')).toMatchObject({ came: 1_050, taken: 1_050 });
    expect((await sink.summaryOf('many')).webhooks).toHaveLength(1_050);
  });

  it('are deleted on request, for one name or all', async () => {
    await sink.post('one');
    await sink.post('two');
    await sink.ask('DELETE', '/deliveries?name=one');
    expect((await sink.received()).map(({ name }) => name)).toEqual(['two']);
    expect(await sink.summaryOf('one')).toMatchObject({ came: 0, taken: 0, webhooks: [] });
    await sink.ask('DELETE', '/deliveries');
    expect(await sink.received()).toEqual([]);
  });

  it('are summarised by id: counts, taken ones and equality of the bytes', async () => {
    await sink.ask('POST', '/knobs', { mishaps: [{ answer: 'status', chance: 1 }] });
    for (const body of ['{"a": 1}', '{"a": 1}']) await sink.post('one', { id: 'same', body });
    for (const body of ['{"a": 1}', '{"a":1}']) await sink.post('one', { id: 'other', body });

    const sha256 = createHash('sha256').update('{"a": 1}').digest('hex');
    expect((await sink.summaryOf('one')).webhooks).toEqual([
      { id: 'same', came: 2, taken: 1, answers: { 200: 1, 503: 1 }, sameBody: true, sha256 },
      { id: 'other', came: 2, taken: 2, answers: { 200: 2 }, sameBody: false, sha256 },
    ]);
  });

  it('are compared by bytes, also if they are not text', async () => {
    const headers = { 'webhook-id': 'bytes' };
    const post = (bytes: number[]) =>
      fetch(`${sink.url}/hooks/bytes`, { method: 'POST', body: Buffer.from(bytes), headers });
    await post([0xff]);
    await post([0xfe]);
    expect((await sink.summaryOf('bytes')).webhooks).toMatchObject([{ came: 2, sameBody: false }]);
  });
});

describe('the signature check of the webhook sink', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"text": "ü"}';
  const checkOf = async (id: string, headers: object) => {
    const { status } = await sink.post('signed', { id, body, headers });
    const [webhook] = (await sink.received('?name=signed')).slice(-1);
    return [webhook?.signature, status];
  };

  beforeAll(() => sink.ask('PUT', '/hooks/signed/secret', { secret }));

  it('accepts signatures of Standard Webhooks’ own library, also among others', async () => {
    const good = signedHeaders(secret, 'x', body);
    expect(await checkOf('x', good)).toEqual(['valid', 200]);
    const among = {
      ...good,
      'webhook-signature': `v1,AAAA ${good['webhook-signature']}`,
      'x-webhook-signature': `${good['x-webhook-signature']},v1=00`,
    };
    expect(await checkOf('x', among)).toEqual(['valid', 200]);
  });

  it('returns 401 for a missing, wrong or old signature', async () => {
    const good = signedHeaders(secret, 'x', body);
    const otherwise = signedHeaders(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, 'x', body);
    expect(await checkOf('x', {})).toEqual(['missing', 401]);
    expect(await checkOf('y', good)).toEqual(['wrong', 401]);
    for (const header of ['webhook-signature', 'x-webhook-signature'] as const) {
      const { [header]: _left, ...rest } = good;
      expect(await checkOf('x', rest)).toEqual(['missing', 401]);
      expect(await checkOf('x', { ...good, [header]: otherwise[header] })).toEqual(['wrong', 401]);
    }
    const old = signedHeaders(secret, 'x', body, new Date(Date.now() - 301_000));
    expect(await checkOf('x', old)).toEqual(['stale', 401]);
  });

  it('is off for a receiver without a secret', async () => {
    await sink.ask('PUT', '/hooks/signed/secret', { secret: null });
    expect(await checkOf('x', {})).toEqual(['unchecked', 200]);
    expect((await ask(sink.url, 'PUT', '/hooks/signed/secret', { secret: 1 })).status).toBe(400);
  });
});

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
    await expect(sink.post('one')).rejects.toMatchObject({ cause: { name: 'HTTPParserError' } });
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
    await plan({ answer: 'drip', everyMs: 50, status: 500 });
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
  [{ fault: [] }],
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
