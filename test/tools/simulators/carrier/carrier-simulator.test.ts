import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CarrierRequestClient } from '../../../../providers/carrier/carrier-request-client.js';
import { TwilioCarrier } from '../../../../providers/carrier/twilio-carrier.js';
import type { Message } from '../../../../tools/simulators/carrier/message-store.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../../tools/simulators/carrier/start-carrier-simulator.js';
import type { RunningSimulator } from '../../../../tools/simulators/support/serve.js';
import { closedPort, startServer } from '../../../providers/misbehaving-server.js';
import { ask } from '../simulator-client.js';
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.js';

const number = '+15550100001';
const handset = '+15550100002';

let simulator: RunningSimulator;
let receiver: WebhookReceiver;
let carrier: TwilioCarrier;

beforeEach(async () => {
  [simulator, receiver] = await Promise.all([startCarrierSimulator({ port: 0 }), startWebhookReceiver()]);
  carrier = new TwilioCarrier({ accountSid, authToken, apiBaseUrl: simulator.url });
  await route({ smsUrl: `${receiver.url}/inbound?a=1` });
});

afterEach(() => simulator.close());

const send = (body = 'Hello') =>
  carrier.sendSms({ from: number, to: handset, body, statusCallback: `${receiver.url}/status` });

/** A server that has these bytes under any address. */
async function serveMedia(contentType: string, bytes: number, status = 200): Promise<string> {
  const server = await startServer((_, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(Buffer.alloc(bytes));
  });
  return `${server}/map`;
}

const sendMedia = (...mediaUrls: string[]) =>
  carrier.sendSms({
    from: number,
    to: handset,
    body: 'See',
    mediaUrls,
    statusCallback: `${receiver.url}/status`,
  });

const route = (urls: { smsUrl: string; smsFallbackUrl?: string }) =>
  ask(simulator.url, 'PUT', `/simulator/numbers/${number}`, urls);

function write(body: string, more: { repeat?: number; to?: string } = {}) {
  const path = `/simulator/handsets/${handset}/messages`;
  return ask<Message & { webhook: unknown[] }>(simulator.url, 'POST', path, { to: number, body, ...more });
}

const turn = (knobs: Record<string, unknown>) =>
  ask(simulator.url, 'POST', '/simulator/knobs', { paceMs: 0, ...knobs });

const traffic = async (query = '') =>
  (await ask<Message[]>(simulator.url, 'GET', `/simulator/messages${query}`)).body;

/** Waits until a message has ended and this number of callbacks about it was made. */
async function callbacks(count: number): Promise<Message['callbacks']> {
  await expect.poll(async () => (await traffic())[0]?.callbacks.length).toBe(count);
  return (await traffic())[0]?.callbacks ?? [];
}

const isSigned = ({ signature, path, fields }: ReceivedWebhook) =>
  carrier.verifySignature({ signature, url: `${receiver.url}${path}`, params: fields });

const reported = () => receiver.received.map(({ fields }) => fields.MessageStatus);

describe('an outbound message at the carrier simulator', () => {
  test('is queued, sent and delivered, with a signed callback for every status', async () => {
    const { carrierMessageId } = await send();
    await callbacks(3);

    const statuses = ['queued', 'sent', 'delivered'];
    expect((await traffic())[0]?.history.map(({ status }) => status)).toEqual(statuses);
    expect(reported()).toEqual(statuses);
    const about = { MessageSid: carrierMessageId, AccountSid: accountSid, From: number, To: handset };
    for (const webhook of receiver.received) {
      expect(webhook.fields).toMatchObject(about);
      expect(isSigned(webhook)).toBe(true);
    }
  });

  test('can be fetched with dates and segments in the format of the carrier’s package', async () => {
    const { carrierMessageId } = await send('ä'.repeat(161));
    await callbacks(3);
    const message = await packaged().messages(carrierMessageId).fetch();
    const shown = { sid: carrierMessageId, status: 'delivered', numSegments: '2', errorCode: null };
    expect(message).toMatchObject(shown);
    expect(Date.now() - message.dateSent.getTime()).toBeLessThan(60_000);
  });

  test('is listed by day and time of sending, newest first, in pages', async () => {
    for (const body of ['One', 'Two', 'Three']) await send(body);
    await expect.poll(async () => (await traffic()).every(({ status }) => status === 'delivered')).toBe(true);

    const { messages } = packaged();
    const bodies = async (filter: Parameters<typeof messages.list>[0]) =>
      (await messages.list(filter)).map(({ body }) => body);

    expect(await bodies({ pageSize: 2 })).toEqual(['Three', 'Two', 'One']);
    expect(await bodies({ dateSentAfter: new Date(Date.now() - 60_000), limit: 1 })).toEqual(['Three']);
    expect(await bodies({ dateSentAfter: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await bodies({ dateSentBefore: new Date(Date.now() - 60_000) })).toEqual([]);
    expect(await bodies({ to: '+15550100009' })).toEqual([]);
  });

  test.each([
    [{ To: '', From: number, Body: 'x' }, 21604],
    [{ To: handset, From: '', Body: 'x' }, 21603],
    [{ To: handset, From: number, Body: '' }, 21602],
    [{ To: handset, From: number, Body: 'x'.repeat(1601) }, 21617],
    [{ To: handset, From: '12', Body: 'x' }, 21212],
    [{ To: number, From: number, Body: 'x' }, 21266],
    [{ To: handset, From: number, Body: 'x', StatusCallback: 'nowhere' }, 21609],
  ])('is refused if it is invalid: %#', async (form, code) => {
    const response = await fetch(`${simulator.url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
      body: new URLSearchParams(form),
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code, status: 400, message: expect.any(String) });
  });

  test('returns 404 for an unknown id', async () => {
    const unknown = packaged().messages('SM404');
    await expect(unknown.fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
  });
});

describe('the knobs of the carrier simulator', () => {
  test('suppress lost callbacks', async () => {
    await turn({ lost: 2 });
    await send();
    expect((await callbacks(3)).map(({ outcome }) => outcome)).toEqual(['lost', 'lost', 'answered']);
    expect(reported()).toEqual(['delivered']);
  });

  test.each([
    {
      what: 'doubled callbacks twice',
      knobs: { doubled: true },
      statuses: ['queued', 'queued', 'sent', 'sent', 'delivered', 'delivered'],
    },
    {
      what: 'out-of-order callbacks with the final one first',
      knobs: { outOfOrder: true },
      statuses: ['delivered', 'sent', 'queued'],
    },
    {
      what: 'late callbacks after the message has ended',
      knobs: { late: [30, 60] },
      statuses: ['queued', 'sent', 'delivered'],
    },
  ])('send $what', async ({ knobs, statuses }) => {
    await turn(knobs);
    await send();
    await callbacks(statuses.length);
    expect(reported()).toEqual(statuses);
  });

  test('let a message have a price, by segment, some time after its end', async () => {
    await turn({ billedAfterMs: null, pricePerSegment: 0.05, priceUnit: 'EUR' });
    const { carrierMessageId } = await send('x'.repeat(161));
    await callbacks(3);
    const { messages } = twilio(accountSid, authToken, {
      httpClient: new CarrierRequestClient({
        apiBaseUrl: simulator.url,
        timeoutMs: 5_000,
        connectTimeoutMs: 5_000,
      }),
    });
    expect(await messages(carrierMessageId).fetch()).toMatchObject({ price: null, priceUnit: 'EUR' });
    await turn({ billedAfterMs: 0 });
    expect(await messages(carrierMessageId).fetch()).toMatchObject({ price: '-0.10000', numSegments: '2' });
    await turn({ pricePerSegment: 7 });
    expect(await messages(carrierMessageId).fetch()).toMatchObject({ price: '-0.10000' });
  });

  test('let failing messages end as undelivered with their code', async () => {
    await turn({ failing: { code: 30003, rate: 1 } });
    await send();
    await callbacks(3);
    const failed = { MessageStatus: 'undelivered', ErrorCode: '30003' };
    expect(receiver.received.at(-1)?.fields).toMatchObject(failed);
    expect((await traffic())[0]).toMatchObject({ status: 'undelivered', errorCode: 30003 });
  });

  test('refuse messages', async () => {
    await turn({ refuse: { code: 30007 } });
    await expect(send()).rejects.toMatchObject({ code: '30007' });
    expect(await traffic()).toEqual([]);
  });

  test('apply to one handset, and until reset', async () => {
    await turn({ handset, refuse: { code: 21614 } });
    const other = { from: number, to: '+15550100003', body: 'x', statusCallback: `${receiver.url}/status` };
    await expect(send()).rejects.toMatchObject({ code: '21614' });
    await expect(carrier.sendSms(other)).resolves.toBeDefined();
    await ask(simulator.url, 'DELETE', '/simulator/knobs');
    await expect(send()).resolves.toBeDefined();
  });

  test('give the same results for the same seed', async () => {
    const run = async (): Promise<boolean[]> => {
      await turn({ seed: 5, refuse: { code: 21614, rate: 0.5 } });
      const taken: boolean[] = [];
      const isTaken = () => send().then(Boolean, () => false);
      for (let index = 0; index < 10; index += 1) taken.push(await isTaken());
      return taken;
    };
    const first = await run();

    expect(await run()).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });

  test.each([{ losst: true }, { late: 5 }, { failing: { rate: 1 } }, { optOut: 'yes' }, { lost: 'often' }])(
    'are rejected if they are unknown or invalid: %j',
    async (knobs) => {
      expect((await turn(knobs)).status).toBe(400);
    },
  );
});

describe('the webhooks of the carrier simulator', () => {
  test('time out without an answer', async () => {
    const impatient = await startCarrierSimulator({ port: 0, webhookTimeoutMs: 50 });
    await simulator.close();
    simulator = impatient;
    carrier = new TwilioCarrier({ accountSid, authToken, apiBaseUrl: impatient.url });
    receiver.behave(() => undefined);
    await send();

    expect((await callbacks(3)).map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout', 'timeout']);
    expect(receiver.received.length).toBeLessThanOrEqual(3);
  });

  test('are retried once when the connection fails', async () => {
    receiver.behave((response, count) => {
      if (count === 1) response.destroy();
      else response.writeHead(204).end();
    });
    await turn({});
    await send();

    expect((await callbacks(3)).map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'answered']);
    expect(reported()).toEqual(['queued', 'queued', 'sent', 'delivered']);
  });

  test('are not retried after an error status', async () => {
    receiver.behave((response) => response.writeHead(500).end());
    await turn({});
    await send();
    expect((await callbacks(3)).map(({ httpStatus }) => httpStatus)).toEqual([500, 500, 500]);
    expect(receiver.received).toHaveLength(3);
  });
});

describe('an inbound message at the carrier simulator', () => {
  test('is posted, signed, to the address of the number', async () => {
    const { status, body } = await write('Good morning & hello');

    const [webhook] = receiver.received;
    expect(status).toBe(201);
    expect(body).toMatchObject({ direction: 'inbound', webhook: [{ outcome: 'answered', httpStatus: 204 }] });
    expect(webhook?.fields).toMatchObject({
      MessageSid: body.sid,
      From: handset,
      To: number,
      Body: 'Good morning & hello',
      SmsStatus: 'received',
      NumMedia: '0',
    });
    expect(webhook?.path).toBe('/inbound?a=1');
    expect(webhook && isSigned(webhook)).toBe(true);
  });

  test('is posted again after an error if the address has connection overrides', async () => {
    await route({ smsUrl: `${receiver.url}/inbound#rc=3&rp=5xx` });
    receiver.behave((response) => response.writeHead(500).end());
    await write('Hello');
    expect(receiver.received.map(({ path }) => path)).toEqual(Array.from({ length: 4 }, () => '/inbound'));
  });

  test('is posted to the fallback of the number if its address fails', async () => {
    await route({ smsUrl: 'http://127.0.0.1:9/inbound', smsFallbackUrl: `${receiver.url}/fallback` });
    await write('Hello');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/fallback']);
  });

  test('can be posted twice with the same id', async () => {
    await write('Hello', { repeat: 2 });
    const ids = receiver.received.map(({ fields }) => fields.MessageSid);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('is rejected for a number that is not configured', async () => {
    expect((await write('Hello', { to: '+15550100077' })).status).toBe(409);
  });

  test('is answered with the TwiML of the webhook’s response', async () => {
    const twiml =
      '<Response><Message>Salt &amp; pepper</Message><Message><Body>Two</Body></Message></Response>';
    receiver.behave((response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(twiml));
    await write('Hello');

    const reply = { direction: 'outbound-reply', to: handset };
    const replies = [
      { ...reply, body: 'Salt & pepper' },
      { ...reply, body: 'Two' },
    ];
    expect(await traffic('?after=1')).toMatchObject(replies);
  });
});

describe('a simulated handset with an absence notice', () => {
  test('answers each delivered message once', async () => {
    await turn({ autoReply: 'I am away.', doubled: true });
    await send('One');
    await send('Two');
    await turn({ doubled: false });

    const answers = async () => (await traffic()).filter(({ direction }) => direction === 'inbound');
    await expect.poll(async () => (await answers()).length).toBe(2);
    const answer = { from: handset, to: number, body: 'I am away.' };
    expect(await answers()).toMatchObject([answer, answer]);
    await turn({ autoReply: null });
    await send('Three');
    const third = async () => (await traffic()).find(({ body }) => body === 'Three');
    await expect.poll(async () => (await third())?.callbacks.length).toBe(3);
    expect(await answers()).toHaveLength(2);
  });

  test('does not answer an undelivered message', async () => {
    await turn({ autoReply: 'I am away.', failing: { code: 30003, rate: true } });
    await send();
    await callbacks(3);
    expect(await traffic()).toHaveLength(1);
  });
});

describe('opt-outs at the carrier simulator', () => {
  test('are left to the service by default', async () => {
    await write('STOP');
    expect(receiver.received[0]?.fields).not.toHaveProperty('OptOutType');
    await expect(send()).resolves.toBeDefined();
  });

  test('in mode basic are answered by the carrier, which refuses messages until START', async () => {
    await turn({ optOut: 'basic' });
    await write(' stop ');

    expect((await traffic()).at(-1)).toMatchObject({ direction: 'outbound-reply', to: handset });
    expect(receiver.received[0]?.fields).not.toHaveProperty('OptOutType');
    await expect(send()).rejects.toMatchObject({ name: 'CarrierRefused', code: '21610' });
    await write('START');
    await expect(send()).resolves.toBeDefined();
  });

  test.each([
    ['stop', 'STOP'],
    ['start', 'START'],
    ['help', 'HELP'],
    ['please stop', undefined],
  ])('in mode advanced are reported to the webhook if they are the whole text: %s', async (text, type) => {
    await turn({ optOut: 'advanced' });
    await write(text);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.fields.OptOutType).toBe(type);
  });
});

test('streams all traffic live', async () => {
  await write('Before');
  const path = `/simulator/messages/stream?handset=${encodeURIComponent(handset)}`;
  const stream = await fetch(`${simulator.url}${path}`);
  await write('After');
  let text = '';
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes('After')) break;
  }

  expect(text).toMatch(/^event: message\nid: 1\ndata: \{.*Before/);
  expect(text).toMatch(/event: message\nid: 2\ndata: \{.*After/);
});

/** The carrier’s own package, redirected to the simulator. */
function packaged(): twilio.Twilio {
  const httpClient = new twilio.RequestClient();
  const original = httpClient.request.bind(httpClient);
  httpClient.request = (options) =>
    original({ ...options, uri: options.uri.replace('https://api.twilio.com', simulator.url) });
  return twilio(accountSid, authToken, { httpClient });
}

describe('media of an outbound message at the carrier simulator', () => {
  /** The only message, once it has ended. */
  async function ended(): Promise<Message | undefined> {
    await expect.poll(async () => (await traffic())[0]?.status).toMatch(/^(delivered|failed)$/);
    return (await traffic())[0];
  }

  test('are fetched, and the message is delivered', async () => {
    const url = await serveMedia('image/png', 5_000);
    const { carrierMessageId } = await sendMedia(url);
    expect(carrierMessageId).toMatch(/^MM/);
    const fetched = { url, httpStatus: 200, contentType: 'image/png', bytes: 5_000 };
    expect(await ended()).toMatchObject({ status: 'delivered', mediaCount: 1, fetches: [fetched] });
  });

  test.each([
    ['of a kind that it does not take', 'text/html', 10, 200, 12300],
    ['of no kind', '', 10, 200, 12300],
    ['that are too large', 'image/png', 5_000_001, 200, 11751],
    ['that are no picture and too large', 'application/pdf', 500_001, 200, 11751],
    ['that are not there', 'image/png', 10, 404, 11200],
  ])('%s make it fail', async (_, contentType, bytes, status, code) => {
    await sendMedia(await serveMedia(contentType, bytes, status));
    expect(await ended()).toMatchObject({ status: 'failed', errorCode: code });
    await expect.poll(reported).toEqual(['queued', 'failed']);
  });

  test('at an address where nothing answers make it fail', async () => {
    await sendMedia(`http://127.0.0.1:${await closedPort()}/map`);
    expect(await ended()).toMatchObject({ status: 'failed', errorCode: 11200 });
  });

  test('that are too large together make it fail', async () => {
    const url = await serveMedia('image/png', 2_600_000);
    await sendMedia(url, url);
    expect(await ended()).toMatchObject({ status: 'failed', errorCode: 11751 });
  });

  test('are refused when the message is made, if there are too many or their addresses are none', async () => {
    const url = 'https://files.example/map';
    await expect(sendMedia(...Array<string>(11).fill(url))).rejects.toMatchObject({ code: '21623' });
    await expect(sendMedia('ftp://files.example/map')).rejects.toMatchObject({ code: '21620' });
  });

  test('are fetched late, twice, and refused, as the knobs say', async () => {
    const url = await serveMedia('image/png', 10);
    await turn({ mediaFetchMs: 5, mediaFetchedTwice: true, mediaRefused: { code: 30019 } });
    await sendMedia(url);
    const message = await ended();
    expect(message).toMatchObject({ status: 'failed', errorCode: 30019 });
    expect(message?.fetches).toHaveLength(2);
  });
});

describe('the line of a number', () => {
  const line = { segmentsPerSecond: 2, queueSeconds: 1 };

  test('sends so many segments in a second, and refuses what its queue does not hold', async () => {
    await turn({ handset: number, line });
    const began = Date.now();
    const twoSegments = 'x'.repeat(200);
    await send(twoSegments);
    await send(twoSegments);
    await expect(send(twoSegments)).rejects.toMatchObject({ code: '21611', status: 400 });
    await expect.poll(() => reported().filter((status) => status === 'delivered')).toHaveLength(2);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  test('refuses with another code, or takes what the network then refuses', async () => {
    const full = { segmentsPerSecond: 0.01, queueSeconds: 0 };
    await turn({ handset: number, line: { ...full, code: 20429 } });
    await send();
    await expect(send()).rejects.toMatchObject({ code: 'http_429' });
    await turn({ handset: number, line: { ...full, code: 30022 } });
    const { carrierMessageId } = await send();
    await expect
      .poll(() => carrier.smsStatus(carrierMessageId))
      .toMatchObject({ status: 'undelivered', errorCode: '30022' });
  });
});
