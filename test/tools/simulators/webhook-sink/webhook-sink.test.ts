import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
    expect(await sink.ask('GET', '/hooks')).toEqual(
      expect.arrayContaining([{ name: 'one', came: 2, taken: 2, ids: 2 }]),
    );
  });

  it('are kept up to a thousand for each name, and summarised beyond', async () => {
    for (let sent = 0; sent < 1_050; sent += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => sink.post('many', { id: `${sent + index}` })),
      );
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
    const post = (bytes: number[]) =>
      fetch(`${sink.url}/hooks/bytes`, {
        method: 'POST',
        body: Buffer.from(bytes),
        headers: { 'webhook-id': 'bytes' },
      });
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
