import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CarrierBusy,
  CarrierRefused,
  CarrierUnusable,
  type FetchedMedia,
  MediaMissing,
} from '../../../providers/carrier/carrier.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../tools/simulators/carrier/start-carrier-simulator.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { ask } from '../../tools/simulators/simulator-client.js';
import { startWebhookReceiver } from '../../tools/simulators/webhook-receiver.js';
import { startServer } from '../misbehaving-server.js';

const handset = '+15550100002';
const number = '+15550100001';

let simulator: RunningSimulator;
let carrier: TwilioCarrier;
/** The message with media, and their ids. */
let carrierMessageId: string;
let mediaIds: string[];

beforeEach(async () => {
  const receiver = await startWebhookReceiver();
  simulator = await startCarrierSimulator({ port: 0 });
  carrier = new TwilioCarrier({ accountSid, authToken, apiBaseUrl: simulator.url });
  await ask(simulator.url, 'PUT', `/simulator/numbers/${number}`, { smsUrl: `${receiver.url}/inbound` });
  const media = ['one', 'two'].map((text) => ({
    contentType: 'image/png; name=x',
    base64: Buffer.from(text).toString('base64'),
  }));
  const path = `/simulator/handsets/${handset}/messages`;
  const { body } = await ask<{ sid: string }>(simulator.url, 'POST', path, { to: number, body: '', media });
  carrierMessageId = body.sid;
  mediaIds = await carrier.listMedia(carrierMessageId);
});

afterEach(() => simulator.close());

const turn = (knobs: object) => ask(simulator.url, 'POST', '/simulator/knobs', knobs);
const fetch = (mediaId = mediaIds[0] ?? '', signal = new AbortController().signal): Promise<FetchedMedia> =>
  carrier.fetchMedia({ carrierMessageId, mediaId }, signal);
const read = async (media: FetchedMedia) => String(await buffer(Readable.from(media.bytes)));
const failure = (fetched: Promise<unknown>): Promise<unknown> => fetched.catch((error: unknown) => error);

describe('media of a message', () => {
  test('are listed in the order in which they were sent, and counted in the list of messages', async () => {
    expect(mediaIds).toHaveLength(2);
    const { messages } = await carrier.listInbound({
      since: new Date(Date.now() - 60_000),
      until: new Date(Date.now() + 60_000),
    });
    expect(messages).toMatchObject([{ carrierMessageId, mediaCount: 2 }]);
  });

  test('are fetched with the credentials at the API, and without them from the store', async () => {
    const [first, second] = [await fetch(), await fetch(mediaIds[1])];
    expect([await read(first), await read(second)]).toEqual(['one', 'two']);
    expect(first.mimeType).toBe('image/png');
  });

  test('are refused without the right credentials', async () => {
    const stranger = new TwilioCarrier({ accountSid, authToken: 'another', apiBaseUrl: simulator.url });
    const ref = { carrierMessageId, mediaId: mediaIds[0] ?? '' };
    expect(await failure(stranger.fetchMedia(ref, new AbortController().signal))).toBeInstanceOf(
      CarrierUnusable,
    );
    expect(await failure(stranger.listMedia(carrierMessageId))).toBeInstanceOf(CarrierUnusable);
  });

  test.each([
    ['are missing for a while', { mediaMissing: 1 }, MediaMissing],
    ['are at a store that is busy', { mediaBusy: 1 }, CarrierBusy],
  ])('%s', async (_, knobs, kind) => {
    await turn(knobs);
    expect(await failure(fetch())).toBeInstanceOf(kind);
    expect(await read(await fetch())).toBe('one');
  });

  test('fail as busy when the connection breaks in their middle', async () => {
    await turn({ mediaBroken: 1 });
    expect(await failure(fetch().then(read))).toBeInstanceOf(CarrierBusy);
  });

  test('are not fetched from an unknown message', async () => {
    expect(await failure(carrier.listMedia(`MM${'0'.repeat(32)}`))).toBeInstanceOf(MediaMissing);
  });

  test.each([
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['a private address', 'https://10.0.0.1/media'],
    ['this machine by another address', 'https://[::1]/media'],
    ['a name of this network', 'https://vault.internal/media'],
    ['a file', 'file:///etc/passwd'],
    ['a public address without encryption', 'http://203.0.113.7/media'],
  ])('are not fetched from %s', async (_, location) => {
    await turn({ mediaRedirect: location });
    expect(await failure(fetch())).toBeInstanceOf(CarrierRefused);
  });

  test('are not fetched through a circle of redirects', async () => {
    let hops = 0;
    const url = await startServer((_, response) => {
      hops += 1;
      response.writeHead(302, { location: '/again' }).end();
    });
    await turn({ mediaRedirect: url });

    expect(await failure(fetch())).toMatchObject({ code: 'too_many_redirects' });
    expect(hops).toBe(3);
  });

  test('keep the credentials from the store, whatever it is', async () => {
    const seen: unknown[] = [];
    const url = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'not a type' }).end('bytes');
    });
    await turn({ mediaRedirect: url });

    const media = await fetch();

    expect([await read(media), media.mimeType]).toEqual(['bytes', 'application/octet-stream']);
    expect(seen).toEqual([undefined]);
  });

  test.each([401, 403, 410])(
    'are missing if the store answers %i, and the account can be used',
    async (status) => {
      const url = await startServer((_, response) => response.writeHead(status).end());
      await turn({ mediaRedirect: url });
      expect(await failure(fetch())).toBeInstanceOf(MediaMissing);
    },
  );

  test('are given up when the caller does', async () => {
    const url = await startServer(() => undefined);
    await turn({ mediaRedirect: url });
    const caller = new AbortController();
    const fetched = failure(fetch(undefined, caller.signal));
    caller.abort();
    expect(await fetched).toBeInstanceOf(CarrierBusy);
  });
});
