import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CarrierBusy, CarrierOutcomeUnknown, CarrierRefused } from '../../../providers/carrier/carrier.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../tools/simulators/carrier/start-carrier-simulator.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { ask } from '../../tools/simulators/simulator-client.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../tools/simulators/webhook-receiver.js';
import { closedPort, startServer, startSilentServer } from '../misbehaving-server.js';

let simulator: RunningSimulator;
let receiver: WebhookReceiver;

beforeEach(async () => {
  [simulator, receiver] = await Promise.all([startCarrierSimulator({ port: 0 }), startWebhookReceiver()]);
});

afterEach(async () => {
  await simulator.close();
  await receiver.close();
});

function carrierAt(
  apiBaseUrl: string,
  more: { timeoutMs?: number; connectTimeoutMs?: number } = {},
): TwilioCarrier {
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

describe('sendSms', () => {
  test('returns the id of the accepted message', async () => {
    const sent = await carrierAt(simulator.url).sendSms(sms());

    const { body } = await ask<{ sid: string; body: string }[]>(simulator.url, 'GET', '/simulator/messages');
    expect(body).toMatchObject([{ sid: sent.carrierMessageId, body: 'Your appointment is at nine.' }]);
    expect(sent).toEqual({ carrierMessageId: expect.stringMatching(/^SM[0-9a-f]{32}$/), status: 'queued' });
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
    const refusal = await carrierAt(simulator.url)
      .sendSms(sms({ to }))
      .catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(CarrierRefused);
    expect(refusal).toMatchObject({ code, status: 400 });
  });

  test('fails as unusable with wrong credentials', async () => {
    const carrier = new TwilioCarrier({ accountSid, authToken: 'another', apiBaseUrl: simulator.url });

    await expect(carrier.sendSms(sms())).rejects.toMatchObject({ name: 'CarrierUnusable', code: '20003' });
  });

  test.each([
    [400, '{"code": 30002}', '30002'],
    [403, '{"code": 20005}', '20005'],
    [404, '{"code": 20404}', '20404'],
    [429, '{"code": 63038}', '63038'],
    [401, 'no', 'http_401'],
  ])('fails as unusable on an answer with %i %s', async (status, body, code) => {
    const url = await startServer((_, response) => response.writeHead(status).end(body));

    await expect(carrierAt(url).sendSms(sms())).rejects.toMatchObject({ name: 'CarrierUnusable', code });
  });

  test('names a refusal without a code by its status', async () => {
    const url = await startServer((_, response) => response.writeHead(422).end('no'));

    await expect(carrierAt(url).sendSms(sms())).rejects.toMatchObject({
      name: 'CarrierRefused',
      code: 'http_422',
    });
  });

  test('names a refusal with an invalid code by its status', async () => {
    const url = await startServer((_, response) =>
      response.writeHead(400).end('{"code":"No such number: +12125550123"}'),
    );

    await expect(carrierAt(url).sendSms(sms())).rejects.toMatchObject({ code: 'http_400' });
  });

  test('never quotes the numbers or the text in an error', async () => {
    const url = await startServer((_, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"code": 21211, "message": "+15550100002 is no number", "status": 400}'),
    );
    const closed = carrierAt(`http://127.0.0.1:${await closedPort()}`);

    const errors = await Promise.all(
      [carrierAt(url), closed].map((carrier) => carrier.sendSms(sms()).catch((error: unknown) => error)),
    );

    for (const error of errors) {
      const told = JSON.stringify(error, Object.getOwnPropertyNames(error));
      expect(told).not.toMatch(/5550100|appointment/);
    }
  });
});

describe('sendSms that certainly did not send', () => {
  test('fails as busy on 429, with the delay that the carrier asks for', async () => {
    await ask(simulator.url, 'POST', '/simulator/knobs', { busy: { rate: 1, retryAfterSeconds: 7 } });
    const carrier = carrierAt(simulator.url);

    const busy = await carrier.sendSms(sms()).catch((error: unknown) => error);

    expect(busy).toBeInstanceOf(CarrierBusy);
    expect(busy).toMatchObject({ code: 'http_429', retryAfterMs: 7_000 });
    await expect(carrier.sendSms(sms())).resolves.toMatchObject({ status: 'queued' });
  });

  test('fails as busy on 503 with a code of the carrier', async () => {
    const url = await startServer((_, response) =>
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"code": 20503, "status": 503}'),
    );

    await expect(carrierAt(url).sendSms(sms())).rejects.toMatchObject({
      name: 'CarrierBusy',
      code: 'http_503',
    });
  });

  test('makes one request: the package does not retry by itself', async () => {
    let requests = 0;
    const url = await startServer((_, response) => {
      requests += 1;
      response.writeHead(429).end();
    });

    await expect(carrierAt(url).sendSms(sms())).rejects.toBeInstanceOf(CarrierBusy);
    expect(requests).toBe(1);
  });

  test('fails as busy on a refused connection', async () => {
    const carrier = carrierAt(`http://127.0.0.1:${await closedPort()}`);

    await expect(carrier.sendSms(sms())).rejects.toMatchObject({
      name: 'CarrierBusy',
      code: 'ECONNREFUSED',
    });
  });

  test('fails as busy on an unknown host', async () => {
    await expect(carrierAt('http://carrier.invalid').sendSms(sms())).rejects.toBeInstanceOf(CarrierBusy);
  });

  test('fails as busy on a connection that is not established in time', async () => {
    const carrier = carrierAt(`https://127.0.0.1:${await startSilentServer()}`, { connectTimeoutMs: 50 });

    await expect(carrier.sendSms(sms())).rejects.toMatchObject({
      name: 'CarrierBusy',
      code: 'CONNECT_TIMEOUT',
    });
  });
});

describe('sendSms that may have sent', () => {
  test('fails as unknown when the connection drops after the message was accepted', async () => {
    await ask(simulator.url, 'POST', '/simulator/knobs', { dropConnectionAfterAccept: 1 });
    const carrier = carrierAt(simulator.url);
    const claimedAt = new Date();

    await expect(carrier.sendSms(sms())).rejects.toBeInstanceOf(CarrierOutcomeUnknown);

    const found = await carrier.findSms({ ...sms(), claimedAt });
    expect(found).toMatchObject({ carrierMessageId: expect.stringMatching(/^SM/) });
  });

  test('fails as unknown when no answer comes in time', async () => {
    await ask(simulator.url, 'POST', '/simulator/knobs', { latencyMs: 5_000 });

    await expect(carrierAt(simulator.url, { timeoutMs: 50 }).sendSms(sms())).rejects.toMatchObject({
      name: 'CarrierOutcomeUnknown',
      code: 'timeout',
    });
  });

  test.each([408, 500, 502, 503, 504])('fails as unknown on status %d', async (status) => {
    const url = await startServer((_, response) => response.writeHead(status).end());

    await expect(carrierAt(url).sendSms(sms())).rejects.toMatchObject({
      name: 'CarrierOutcomeUnknown',
      code: `http_${status}`,
    });
  });

  test.each(['{"sid": "SM', '{}', ''])(
    'fails as unknown on an acceptance that cannot be read: %s',
    async (body) => {
      const url = await startServer((_, response) => response.writeHead(201).end(body));

      await expect(carrierAt(url).sendSms(sms())).rejects.toMatchObject({
        name: 'CarrierOutcomeUnknown',
        code: 'unreadable_answer',
      });
    },
  );
});

describe('findSms', () => {
  test('returns the state and the error code of a message', async () => {
    await ask(simulator.url, 'POST', '/simulator/knobs', { failing: { code: 30007, rate: true }, paceMs: 0 });
    const carrier = carrierAt(simulator.url);
    const claimedAt = new Date();
    const { carrierMessageId } = await carrier.sendSms(sms());

    await expect
      .poll(() => carrier.findSms({ ...sms(), claimedAt }))
      .toEqual({ carrierMessageId, status: 'undelivered', errorCode: '30007' });
  });

  test.each([
    ['another text', { body: 'Your appointment is at ten.' }],
    ['another recipient', { to: '+15550100003' }],
    ['another sender', { from: '+15550100009' }],
    ['an earlier attempt', { claimedAt: new Date(Date.now() + 60_000) }],
  ])('does not confuse the message with %s', async (_, other) => {
    const carrier = carrierAt(simulator.url);
    const claimedAt = new Date();
    await carrier.sendSms(sms());

    await expect(carrier.findSms({ ...sms(), claimedAt, ...other })).resolves.toBeUndefined();
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
    const claimedAt = new Date();
    const handset = `/simulator/handsets/${encodeURIComponent(to)}/messages`;
    await ask(simulator.url, 'POST', handset, { to: from, body: 'Is it open?' });

    const found = carrierAt(simulator.url).findSms({ ...sms(), claimedAt, soleAttempt: true });

    await expect(found).resolves.toBeUndefined();
  });

  test('looks past newer messages between the two numbers', async () => {
    const carrier = carrierAt(simulator.url);
    const claimedAt = new Date();
    const first = await carrier.sendSms(sms());
    for (let index = 0; index < 60; index += 1) await carrier.sendSms(sms({ body: `Reminder ${index}` }));

    await expect(carrier.findSms({ ...sms(), claimedAt })).resolves.toMatchObject({
      carrierMessageId: first.carrierMessageId,
    });
  });

  test('returns the message closest to the claim when several have the same text', async () => {
    const carrier = carrierAt(simulator.url);
    const claimedAt = new Date();
    const first = await carrier.sendSms(sms());
    await carrier.sendSms(sms());

    await expect(carrier.findSms({ ...sms(), claimedAt })).resolves.toMatchObject({
      carrierMessageId: first.carrierMessageId,
    });
  });

  test.each([
    ['is down', 500],
    ['has no room', 429],
  ])('fails as busy when the carrier %s', async (_, status) => {
    const url = await startServer((_request, response) => response.writeHead(status).end());

    await expect(carrierAt(url).findSms({ ...sms(), claimedAt: new Date() })).rejects.toBeInstanceOf(
      CarrierBusy,
    );
  });
});

describe('verifySignature', () => {
  async function signedCallback() {
    await carrierAt(simulator.url).sendSms(sms({ body: 'Ünïcode & more' }));
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    const [webhook] = receiver.received;
    if (webhook === undefined) throw new Error('No callback came.');
    return { signature: webhook.signature, url: `${receiver.url}${webhook.path}`, params: webhook.fields };
  }

  test('accepts a callback of the carrier', async () => {
    expect(carrierAt(simulator.url).verifySignature(await signedCallback())).toBe(true);
  });

  test.each([
    ['a missing signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['a wrong signature', { signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
  ])('rejects %s', async (_, change) => {
    expect(carrierAt(simulator.url).verifySignature({ ...(await signedCallback()), ...change })).toBe(false);
  });

  test('rejects a changed, missing or additional field, and another URL', async () => {
    const carrier = carrierAt(simulator.url);
    const callback = await signedCallback();
    const { MessageStatus: _, ...fewer } = callback.params;

    const altered = [
      { ...callback, params: { ...callback.params, MessageStatus: 'delivered' } },
      { ...callback, params: fewer },
      { ...callback, params: { ...callback.params, More: '1' } },
      { ...callback, url: `${callback.url}&more=1` },
      { ...callback, url: callback.url.replace('/status', '/other') },
    ];

    expect(altered.map((request) => carrier.verifySignature(request))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test('accepts a URL with a host name outside of ASCII, also after V8 has compiled the check', () => {
    const carrier = new TwilioCarrier({ accountSid, authToken });
    const url = 'https://empfänger.example/status';
    const signature = createHmac('sha1', authToken).update(url).digest('base64');

    const accepted = Array.from({ length: 20_000 }, () =>
      carrier.verifySignature({ signature, url, params: {} }),
    );

    expect(new Set(accepted)).toEqual(new Set([true]));
  });

  test('rejects a signature with another token', async () => {
    const carrier = new TwilioCarrier({ accountSid, authToken: 'another' });

    expect(carrier.verifySignature(await signedCallback())).toBe(false);
  });

  // Made with `openssl dgst -sha1 -hmac 12345 -binary | base64`, independently of both packages.
  test('accepts a GET and a WebSocket upgrade, which are signed over the URL alone', () => {
    const carrier = new TwilioCarrier({ accountSid, authToken: '12345' });

    expect(
      carrier.verifySignature({
        signature: 'NlSh7tBMriurHzAKT7CEnAglQIw=',
        url: 'https://service.example/status?message=1',
        params: {},
      }),
    ).toBe(true);
    expect(
      carrier.verifySignature({
        signature: 'cjffiK1csCwPnA9t4D9jGe+ysEs=',
        url: 'wss://service.example/media',
        params: {},
      }),
    ).toBe(true);
  });
});
