import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CarrierBusy,
  CarrierOutcomeUnknown,
  CarrierRefused,
  CarrierUnusable,
} from '../../../providers/carrier/carrier.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import { ProviderFault } from '../../../providers/failures.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../tools/simulators/carrier/start-carrier-simulator.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { ask } from '../../tools/simulators/simulator-client.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../tools/simulators/webhook-receiver.js';
import { closedPort, startAnswering, startServer, startSilentServer } from '../misbehaving-server.js';

const unknownId = `SM${'0'.repeat(32)}`;

let simulator: RunningSimulator;
let receiver: WebhookReceiver;
let carrier: TwilioCarrier;
let claimedAt: Date;

beforeEach(async () => {
  [simulator, receiver] = await Promise.all([startCarrierSimulator({ port: 0 }), startWebhookReceiver()]);
  carrier = carrierAt(simulator.url);
  claimedAt = new Date();
});

afterEach(() => simulator.close());

function carrierAt(apiBaseUrl: string, more: { timeoutMs?: number; connectTimeoutMs?: number } = {}) {
  return new TwilioCarrier({ accountSid, authToken, apiBaseUrl, ...more });
}

function sms(more: { to?: string; body?: string } = {}) {
  return {
    from: '+15550100001',
    to: '+15550100002',
    body: 'Your appointment is at nine.',
    statusCallback: `${receiver.url}/status?message=1`,
    ...more,
  };
}

const find = (more: object = {}) => carrier.findSms({ ...sms(), claimedAt, ...more });
const turn = (knobs: object) => ask(simulator.url, 'POST', '/simulator/knobs', knobs);
/** The error of a message that is sent to a carrier at this address. */
const failureAt = (url: string, more: { to?: string } = {}, options = {}): Promise<unknown> =>
  carrierAt(url, options)
    .sendSms(sms(more))
    .catch((error: unknown) => error);
const nowhere = async () => `http://127.0.0.1:${await closedPort()}`;
const stranger = () => new TwilioCarrier({ accountSid, authToken: 'another', apiBaseUrl: simulator.url });

test('nothing was sent if the package cannot be loaded, which the next use loads again', async () => {
  let fails = true;
  const load = async () => {
    if (fails) throw new Error('too many open files');
    return import('../../../providers/carrier/carrier-request-client.js');
  };
  const unloaded = new TwilioCarrier({ accountSid, authToken, apiBaseUrl: simulator.url }, load);
  const { from, to } = sms();
  const call = { from, to, url: `${receiver.url}/answer`, statusCallback: `${receiver.url}/status` };

  await expect(unloaded.sendSms(sms())).rejects.toEqual(new CarrierBusy('not_loaded'));
  await expect(unloaded.calls.create(call)).rejects.toEqual(new CarrierBusy('not_loaded'));
  fails = false;
  expect(await unloaded.sendSms(sms())).toMatchObject({ status: 'queued' });
});

describe('sendSms', () => {
  test('tells a request that Node refuses to make as a fault, and not as a busy carrier', async () => {
    const failure = await failureAt('http://127.0.0.1:99999');
    expect(failure).toBeInstanceOf(ProviderFault);
    expect(failure).toMatchObject({ code: 'ERR_INVALID_URL' });
  });

  test('gives the carrier the addresses of media', async () => {
    const mediaUrls = ['https://files.example/map', 'https://files.example/plan'];
    await carrier.sendSms({ ...sms(), mediaUrls });
    const [message] = (await ask<{ mediaUrls: string[] }[]>(simulator.url, 'GET', '/simulator/messages'))
      .body;
    expect(message?.mediaUrls).toEqual(mediaUrls);
  });

  test('returns the id of the accepted message', async () => {
    const sent = await carrier.sendSms(sms());
    const { body } = await ask<{ sid: string; body: string }[]>(simulator.url, 'GET', '/simulator/messages');
    expect(body).toMatchObject([{ sid: sent.carrierMessageId, body: 'Your appointment is at nine.' }]);
    expect(sent).toEqual({ carrierMessageId: expect.stringMatching(/^SM[0-9a-f]{32}$/), status: 'queued' });
  });

  test('leaves connections for others while the carrier is slow with as many messages as are sent at once', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const url = await startServer((request, response) => {
      asked.push(request.method ?? '');
      response.writeHead(200, { 'content-type': 'application/json' });
      const body = JSON.stringify(
        request.method === 'GET' ? { messages: [] } : { sid: 'SM1', status: 'queued' },
      );
      if (request.method === 'GET') response.end(body);
      else answers.push(() => response.end(body));
    });
    const slow = carrierAt(url);
    const sent = Array.from({ length: 30 }, () => slow.sendSms(sms()));
    await waitFor('all messages are with the carrier', () => answers.length === 30);

    expect(await slow.findSms({ ...sms(), claimedAt })).toBeUndefined();

    for (const answer of answers) answer();
    await Promise.all(sent);
    expect(asked).toHaveLength(31);
  });

  test('keeps a path in the base URL', async () => {
    let path: string | undefined;
    const url = await startServer((request, response) => {
      path = request.url;
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ sid: 'SM1', status: 'accepted' }));
    });

    await carrierAt(`${url}/carrier/`).sendSms(sms());

    expect(path).toBe(`/carrier/2010-04-01/Accounts/${accountSid}/Messages.json`);
  });

  test.each([
    ['+15005550001', '21211'],
    ['+15005550009', '21614'],
    ['+15005550004', '21610'],
    ['nobody', '21211'],
  ])('rejects a message to %s with the code %s', async (to, code) => {
    const refusal = await failureAt(simulator.url, { to });
    expect(refusal).toBeInstanceOf(CarrierRefused);
    expect(refusal).toMatchObject({ code, status: 400 });
  });

  test('fails as unusable with wrong credentials', async () => {
    await expect(stranger().sendSms(sms())).rejects.toMatchObject({ name: 'CarrierUnusable', code: '20003' });
  });

  test.each([
    [400, '{"code": 30002}', '30002'],
    [403, '{"code": 20005}', '20005'],
    [404, '{"code": 20404}', '20404'],
    [429, '{"code": 63038}', '63038'],
    [401, 'no', 'http_401'],
  ])('fails as unusable on an answer with %i %s', async (status, body, code) => {
    const url = await startAnswering(status, body);
    expect(await failureAt(url)).toMatchObject({ name: 'CarrierUnusable', code });
  });

  test.each([
    ['without a code', 422, 'no'],
    ['with an invalid code', 400, '{"code":"No such number: +12125550123"}'],
  ])('names a refusal %s by its status', async (_, status, body) => {
    const url = await startAnswering(status, body);
    expect(await failureAt(url)).toMatchObject({ name: 'CarrierRefused', code: `http_${status}` });
  });

  test('never quotes the numbers or the text in an error', async () => {
    const body = '{"code": 21211, "message": "+15550100002 is no number", "status": 400}';
    const urls = [await startAnswering(400, body), await nowhere()];

    for (const url of urls) {
      const error = await failureAt(url);
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/5550100|appointment/);
    }
  });
});

describe('sendSms that certainly did not send', () => {
  test('fails as busy on 429, with the delay that the carrier asks for', async () => {
    await turn({ busy: { rate: 1, retryAfterSeconds: 7 } });
    const busy = await failureAt(simulator.url);
    expect(busy).toBeInstanceOf(CarrierBusy);
    expect(busy).toMatchObject({ code: 'http_429', retryAfterMs: 7_000 });
    await expect(carrier.sendSms(sms())).resolves.toMatchObject({ status: 'queued' });
  });

  test('makes one request: the package does not retry by itself', async () => {
    let requests = 0;
    const url = await startServer((_, response) => {
      requests += 1;
      response.writeHead(429).end();
    });

    expect(await failureAt(url)).toBeInstanceOf(CarrierBusy);
    expect(requests).toBe(1);
  });

  test.each([
    {
      what: '503 with a code of the carrier',
      url: () => startAnswering(503, '{"code": 20503, "status": 503}'),
      code: 'http_503',
    },
    { what: 'a refused connection', url: nowhere, code: 'ECONNREFUSED' },
    { what: 'an unknown host', url: () => 'http://carrier.invalid', code: expect.any(String) },
    {
      what: 'a connection that is not established in time',
      url: async () => `https://127.0.0.1:${await startSilentServer()}`,
      options: { connectTimeoutMs: 50 },
      code: 'CONNECT_TIMEOUT',
    },
  ])('fails as busy on $what', async ({ url, options, code }) => {
    const busy = await failureAt(await url(), {}, options);
    expect(busy).toBeInstanceOf(CarrierBusy);
    expect(busy).toMatchObject({ code });
  });
});

describe('sendSms that may have sent', () => {
  test('fails as unknown when the connection drops after the message was accepted', async () => {
    await turn({ dropConnectionAfterAccept: 1 });
    expect(await failureAt(simulator.url)).toBeInstanceOf(CarrierOutcomeUnknown);
    expect(await find()).toMatchObject({ carrierMessageId: expect.stringMatching(/^SM/) });
  });

  test('fails as unknown when no answer comes in time', async () => {
    await turn({ latencyMs: 30_000 });
    const unknown = await failureAt(simulator.url, {}, { timeoutMs: 1_000 });
    expect(unknown).toMatchObject({ name: 'CarrierOutcomeUnknown', code: 'timeout' });
  });

  test.each([
    ...[408, 500, 502, 503, 504].map((status) => ({ status, body: '', code: `http_${status}` })),
    ...['{"sid": "SM', '{}', ''].map((body) => ({ status: 201, body, code: 'unreadable_answer' })),
  ])('fails as unknown, $code, on status $status with the body "$body"', async ({ status, body, code }) => {
    const url = await startAnswering(status, body);
    expect(await failureAt(url)).toMatchObject({ name: 'CarrierOutcomeUnknown', code });
  });
});

describe('findSms', () => {
  test('returns the state and the error code of a message', async () => {
    await turn({ failing: { code: 30007, rate: true }, paceMs: 0 });
    const { carrierMessageId } = await carrier.sendSms(sms());
    const undelivered = { carrierMessageId, status: 'undelivered', errorCode: '30007' };
    await expect.poll(() => find()).toEqual(undelivered);
  });

  test.each([
    ['another text', { body: 'Your appointment is at ten.' }],
    ['another recipient', { to: '+15550100003' }],
    ['another sender', { from: '+15550100009' }],
    ['an earlier attempt', { claimedAt: new Date(Date.now() + 60_000) }],
  ])('does not confuse the message with %s', async (_, other) => {
    await carrier.sendSms(sms());
    await expect(find(other)).resolves.toBeUndefined();
  });

  test('does not confuse the message with a reply that a webhook returned', async () => {
    receiver.behave((response) =>
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end('<Response><Message>Yes.</Message></Response>'),
    );
    const { from, to } = sms();
    const number = `/simulator/numbers/${encodeURIComponent(from)}`;
    await ask(simulator.url, 'PUT', number, { smsUrl: `${receiver.url}/inbound` });
    const handset = `/simulator/handsets/${encodeURIComponent(to)}/messages`;
    await ask(simulator.url, 'POST', handset, { to: from, body: 'Is it open?' });

    await expect(find({ soleAttempt: true })).resolves.toBeUndefined();
  });

  test('looks past newer messages between the two numbers', async () => {
    const first = await carrier.sendSms(sms());
    for (let index = 0; index < 60; index += 1) await carrier.sendSms(sms({ body: `Reminder ${index}` }));
    expect(await find()).toMatchObject({ carrierMessageId: first.carrierMessageId });
  });

  test('returns the message closest to the claim when several have the same text', async () => {
    const first = await carrier.sendSms(sms());
    await carrier.sendSms(sms());
    expect(await find()).toMatchObject({ carrierMessageId: first.carrierMessageId });
  });
});

describe('smsStatus', () => {
  test.each([
    ['delivered', {}, {}],
    ['undelivered', { failing: { code: 30005, rate: true } }, { errorCode: '30005' }],
  ])('reports a message that was %s', async (status, knobs, more) => {
    await turn(knobs);
    const { carrierMessageId } = await carrier.sendSms(sms());
    const ended = { carrierMessageId, status, ...more };
    await expect.poll(() => carrier.smsStatus(carrierMessageId)).toEqual(ended);
  });

  test('returns undefined for a message that the carrier does not know', async () => {
    await expect(carrier.smsStatus(unknownId)).resolves.toBeUndefined();
  });

  test('fails as unusable with wrong credentials, which is different from an unknown message', async () => {
    await expect(stranger().smsStatus(unknownId)).rejects.toBeInstanceOf(CarrierUnusable);
  });
});

describe('listBilled', () => {
  const query = () => ({
    since: new Date(claimedAt.getTime() - 60_000),
    until: new Date(Date.now() + 60_000),
  });
  /** A carrier whose list has one message with these fields. */
  const listing = async (fields: object) => {
    const message = {
      ...{ sid: unknownId, direction: 'outbound-api', from: '+15550100001', to: '+15550100002' },
      ...{ date_sent: 'Sun, 29 Nov 2026 10:00:00 +0000', num_segments: '3', price: null, price_unit: 'USD' },
      ...fields,
    };
    const next_page_uri = '/2010-04-01/Accounts/AC/Messages.json?Page=1';
    return carrierAt(await startAnswering(200, JSON.stringify({ messages: [message], next_page_uri })));
  };

  test('tells of sent messages what they cost, once the carrier has billed them', async () => {
    await turn({ billedAfterMs: null, paceMs: 0 });
    const { carrierMessageId } = await carrier.sendSms(sms());
    await expect.poll(() => carrier.smsStatus(carrierMessageId)).toMatchObject({ status: 'delivered' });
    const message = {
      carrierMessageId,
      from: '+15550100001',
      to: '+15550100002',
      inbound: false,
      sentAt: expect.any(Date),
      segments: 1,
    };
    expect(await carrier.listBilled(query())).toEqual({ messages: [message] });
    await turn({ billedAfterMs: 0 });
    const price = { amount: '0.00790', currency: 'USD' };
    expect(await carrier.listBilled(query())).toEqual({ messages: [{ ...message, price }] });
  });

  test.each([
    ['in small letters', { price: '-0.0079', price_unit: 'eur' }, { amount: '0.0079', currency: 'EUR' }],
    ['of nothing', { price: '0.00000' }, { amount: '0.00000', currency: 'USD' }],
    ['that is none', { price: 'free' }, undefined],
    ['without a currency', { price: '-1', price_unit: null }, undefined],
  ])('reads a price %s', async (_, fields, price) => {
    const { messages } = await (await listing(fields)).listBilled(query());
    expect(messages[0]?.price).toEqual(price);
  });

  test('names the page that follows, and the direction', async () => {
    const found = await (await listing({ direction: 'inbound' })).listBilled(query());
    expect(found).toMatchObject({
      messages: [{ inbound: true, segments: 3, sentAt: new Date('2026-11-29T10:00:00Z') }],
      nextPage: expect.stringContaining('Page=1'),
    });
  });
});

describe.each([
  { name: 'listBilled', look: (at: TwilioCarrier) => at.listBilled({ since: claimedAt, until: new Date() }) },
  { name: 'findSms', look: (at: TwilioCarrier) => at.findSms({ ...sms(), claimedAt: new Date() }) },
  { name: 'smsStatus', look: (at: TwilioCarrier) => at.smsStatus(unknownId) },
])('$name', ({ look }) => {
  test.each([
    ['is down', () => startAnswering(500, '')],
    ['has no room', () => startAnswering(429, '')],
    ['cannot be reached', nowhere],
    ['gives an answer that cannot be read', () => startAnswering(200, '{')],
  ])('fails as busy when the carrier %s', async (_, url) => {
    await expect(look(carrierAt(await url()))).rejects.toBeInstanceOf(CarrierBusy);
  });
});

describe('verifySignature', () => {
  async function signedCallback() {
    await carrier.sendSms(sms({ body: 'Ünïcode & more' }));
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    const [webhook] = receiver.received;
    if (webhook === undefined) throw new Error('No callback came.');
    return { signature: webhook.signature, url: `${receiver.url}${webhook.path}`, params: webhook.fields };
  }

  test('accepts a callback of the carrier', async () => {
    expect(carrier.verifySignature(await signedCallback())).toBe(true);
  });

  test.each([
    ['a missing signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['a wrong signature', { signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
  ])('rejects %s', async (_, change) => {
    expect(carrier.verifySignature({ ...(await signedCallback()), ...change })).toBe(false);
  });

  test('rejects a changed, missing or additional field, and another URL', async () => {
    const callback = await signedCallback();
    const { MessageStatus: _, ...fewer } = callback.params;

    const altered = [
      { ...callback, params: { ...callback.params, MessageStatus: 'delivered' } },
      { ...callback, params: fewer },
      { ...callback, params: { ...callback.params, More: '1' } },
      { ...callback, url: `${callback.url}&more=1` },
      { ...callback, url: callback.url.replace('/status', '/other') },
    ];

    expect(altered.filter((request) => carrier.verifySignature(request))).toEqual([]);
  });

  test('accepts a URL with a host name outside of ASCII, also after V8 has compiled the check', () => {
    const url = 'https://empfänger.example/status';
    const signature = createHmac('sha1', authToken).update(url).digest('base64');
    const verify = () => carrier.verifySignature({ signature, url, params: {} });
    const accepted = Array.from({ length: 20_000 }, verify);
    expect(new Set(accepted)).toEqual(new Set([true]));
  });

  test('rejects a signature with another token', async () => {
    expect(stranger().verifySignature(await signedCallback())).toBe(false);
  });

  // Made with `openssl dgst -sha1 -hmac 12345 -binary | base64`, independently of both packages.
  test.each([
    ['a GET', 'https://service.example/status?message=1', 'NlSh7tBMriurHzAKT7CEnAglQIw='],
    ['a WebSocket upgrade', 'wss://service.example/media', 'cjffiK1csCwPnA9t4D9jGe+ysEs='],
  ])('accepts %s, which is signed over the URL alone', (_, url, signature) => {
    const carrier = new TwilioCarrier({ accountSid, authToken: '12345' });
    expect(carrier.verifySignature({ signature, url, params: {} })).toBe(true);
  });

  const signed = (url: string) => createHmac('sha1', authToken).update(url).digest('base64');
  const bare = 'wss://service.example/media';
  const withPort = 'wss://service.example:443/media';
  test.each([
    [bare, withPort],
    [withPort, bare],
    [withPort, withPort],
    ['wss://service.example:8443/media', 'wss://service.example:8443/media'],
  ])('accepts the upgrade of %s by a signature over %s', (url, covered) => {
    expect(carrier.verifySignature({ signature: signed(covered), url, params: {} })).toBe(true);
  });

  test.each([
    ['another path', `${bare}/`],
    ['another scheme', 'ws://service.example/media'],
    ['a query', `${bare}?a=1`],
    ['no host', '/media'],
  ])('rejects the upgrade of an address with %s', (_, url) => {
    expect(carrier.verifySignature({ signature: signed(bare), url, params: {} })).toBe(false);
  });

  test('rejects a request that the package cannot judge', () => {
    const params = null as unknown as Record<string, string>;
    expect(carrier.verifySignature({ signature: signed(bare), url: bare, params })).toBe(false);
  });
});
