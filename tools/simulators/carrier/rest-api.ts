import { setTimeout as delay } from 'node:timers/promises';
import { HttpFailure, type Reply, type Route, type SimulatorRequest } from '../support/serve.js';
import type { Exchange } from './calls/exchange.js';
import { carrierError } from './carrier-errors.js';
import { deliver } from './deliver.js';
import type { Delivery } from './delivery.js';
import { isUrl } from './is-url.js';
import type { Lines } from './lines.js';
import { listReply } from './list-reply.js';
import { handsetOf, type Message } from './message-store.js';
import type { OptOuts } from './opt-outs.js';
import { presentMedia, presentMessage } from './present.js';

const E164 = /^\+[1-9]\d{6,14}$/;

/** Numbers that the carrier reserves for errors ("Test credentials"). */
const RESERVED: Record<string, number> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
};

export interface CarrierApi extends Delivery {
  authToken: string;
  exchange: Exchange;
  optOuts: OptOuts;
  lines: Lines;
  smsUrls: Map<string, string>;
  smsFallbackUrls: Map<string, string>;
  /** The address of this simulator. */
  ownUrl(): string;
  /** The port of the store of media, which is a server of its own. */
  mediaPort(): string;
  /** Runs work in the background, without delaying the response. */
  beside(work: Promise<void>): void;
}

/** The part of the carrier's REST API that the `twilio` package uses for messages. */
export function restRoutes(api: CarrierApi): Route[] {
  const messages = '/2010-04-01/Accounts/{account}/Messages';
  return [
    ['POST', `${messages}.json`, (request) => createMessage(api, request)],
    ['GET', `${messages}.json`, (request) => listMessages(api, request)],
    ['GET', `${messages}/{sid}.json`, (request) => getMessage(api, request)],
    ['GET', `${messages}/{sid}/Media.json`, (request) => listMedia(api, request)],
    ['GET', `${messages}/{sid}/Media/{media}`, (request) => redirectToMedia(api, request)],
  ];
}

async function createMessage(api: CarrierApi, request: SimulatorRequest): Promise<Reply | undefined> {
  authenticate(api, request);
  const form = request.form();
  const [to, from, body] = [form.get('To') ?? '', form.get('From') ?? '', form.get('Body') ?? ''];
  await misbehave(api, to);
  const statusCallback = form.get('StatusCallback');
  const mediaUrls = form.getAll('MediaUrl');
  check({ to, from, body, statusCallback, mediaUrls });
  const refused = api.knobs.applies(to, 'refuse');
  if (refused !== undefined) throw carrierError(refused.code);
  if (api.knobs.of(to).optOut !== 'off' && api.optOuts.blocks(to, from)) throw carrierError(21610);
  const { waitMs, refused: full } = api.lines.join(api.knobs, { from, body });
  // What a network refuses is taken first, and fails later.
  const failsWith = full !== undefined && full >= 30_000 ? full : undefined;
  if (full !== undefined && failsWith === undefined) throw carrierError(full);

  const sms = {
    direction: 'outbound-api',
    from,
    to,
    body,
    status: 'queued',
    statusCallback,
    mediaUrls,
  } as const;
  const message = api.store.add(sms);
  const reply = { status: 201, body: presentMessage(api, message) };
  api.beside(deliver(api, message, { waitMs, failsWith }));
  if (api.knobs.takes(to, 'dropConnectionAfterAccept')) {
    request.response.destroy();
    return undefined;
  }
  return reply;
}

async function listMessages(api: CarrierApi, request: SimulatorRequest): Promise<Reply> {
  authenticate(api, request);
  const { query } = request;
  await misbehave(api, query.get('To') ?? '');
  const matching = api.store
    .after(0)
    .filter((message) => matches(message, query) && isListed(api, message))
    .reverse();
  return listReply(request, matching, (message) => presentMessage(api, message), {
    key: 'messages',
    path: `/2010-04-01/Accounts/${api.accountSid}/Messages.json`,
  });
}

async function getMessage(api: CarrierApi, request: SimulatorRequest): Promise<Reply> {
  authenticate(api, request);
  const message = api.store.find(request.params.sid ?? '');
  if (message === undefined) throw carrierError(20404);
  await misbehave(api, message.to);
  return { body: presentMessage(api, message) };
}

async function listMedia(api: CarrierApi, request: SimulatorRequest): Promise<Reply> {
  const { message } = await messageWithMedia(api, request);
  const items = api.store.mediaOf(message.sid).toReversed();
  const uri = request.url;
  return {
    body: {
      media_list: items.map((media) => presentMedia(api.accountSid, message, media)),
      ...{ page: 0, page_size: 50, start: 0, end: Math.max(0, items.length - 1), uri, first_page_uri: uri },
      ...{ next_page_uri: null, previous_page_uri: null },
    },
  };
}

/** The store has a host of its own, which takes an address for a while and no credentials. */
async function redirectToMedia(api: CarrierApi, request: SimulatorRequest): Promise<Reply> {
  const { message } = await messageWithMedia(api, request);
  const media = api.store.mediaOf(message.sid).find(({ sid }) => sid === request.params.media);
  if (media === undefined) throw carrierError(20404);
  const { mediaRedirect } = api.knobs.of(message.from);
  // At the name by which the caller reaches this machine.
  const { hostname } = new URL(`http://${request.headers.host}`);
  const own = `http://${hostname}:${api.mediaPort()}/${api.accountSid}/${message.sid}/${media.sid}`;
  const location = mediaRedirect ?? own;
  return { status: 307, headers: { location } };
}

async function messageWithMedia(api: CarrierApi, request: SimulatorRequest): Promise<{ message: Message }> {
  authenticate(api, request);
  const message = api.store.find(request.params.sid ?? '');
  if (message === undefined) throw carrierError(20404);
  await misbehave(api, message.from);
  if (api.knobs.takes(message.from, 'mediaMissing')) throw carrierError(20404);
  return { message };
}

/** The store of media: `/<account>/<message>/<media>`. */
export function mediaRoutes(api: CarrierApi): Route[] {
  return [
    [
      'GET',
      '/{account}/{sid}/{media}',
      ({ params, headers, response }) => {
        const message = api.store.find(params.sid ?? '');
        const media = api.store.mediaOf(params.sid ?? '').find(({ sid }) => sid === params.media);
        if (message === undefined || media === undefined) throw new HttpFailure(404, undefined);
        // As the real one: what it gets beside its own signature, it refuses.
        if (headers.authorization !== undefined) throw new HttpFailure(400, undefined);
        if (api.knobs.takes(message.from, 'mediaBusy')) throw new HttpFailure(503, undefined);
        response.writeHead(200, {
          'content-type': media.contentType,
          'content-length': String(media.bytes.length),
        });
        if (api.knobs.takes(message.from, 'mediaBroken')) {
          response.write(media.bytes.subarray(0, media.bytes.length / 2), () => response.destroy());
        } else response.end(media.bytes);
        return undefined;
      },
    ],
  ];
}

export function authenticate(api: CarrierApi, { headers, params }: SimulatorRequest): void {
  const expected = `Basic ${Buffer.from(`${api.accountSid}:${api.authToken}`).toString('base64')}`;
  if (headers.authorization !== expected) throw carrierError(20003);
  if (params.account !== api.accountSid) throw carrierError(20404);
}

export async function misbehave({ knobs, sender }: CarrierApi, handset: string): Promise<void> {
  const { latencyMs } = knobs.of(handset);
  if (latencyMs > 0) await delay(latencyMs, undefined, { signal: sender.closing });
  if (knobs.takes(handset, 'unauthorized')) throw carrierError(20003);
  const busy = knobs.applies(handset, 'busy');
  if (busy === undefined) return;
  const { status, body } = carrierError(20429);
  const headers = { 'retry-after': String(busy.retryAfterSeconds ?? 1) };
  throw new HttpFailure(busy.status ?? status, busy.status === undefined ? body : undefined, headers);
}

function check(sms: Pick<Message, 'to' | 'from' | 'body' | 'statusCallback' | 'mediaUrls'>): void {
  const { to, from, body, statusCallback, mediaUrls } = sms;
  if (to === '') throw carrierError(21604);
  if (from === '') throw carrierError(21603);
  if (body === '' && mediaUrls.length === 0) throw carrierError(21602);
  if (mediaUrls.length > 10) throw carrierError(21623);
  if (!mediaUrls.every((url) => isUrl(url) && /^https?:/.test(url))) throw carrierError(21620);
  if (body.length > 1600) throw carrierError(21617);
  if (!E164.test(to)) throw carrierError(21211);
  if (!E164.test(from)) throw carrierError(21212);
  if (to === from) throw carrierError(21266);
  if (statusCallback !== null && !isUrl(statusCallback)) throw carrierError(21609);
  const reserved = RESERVED[to];
  if (reserved !== undefined) throw carrierError(reserved);
}

function isListed({ knobs }: CarrierApi, message: Message): boolean {
  const { listLagMs } = knobs.of(handsetOf(message));
  return Date.now() - Date.parse(message.createdAt) >= listLagMs;
}

/** `DateSent` is a day; `DateSent<` and `DateSent>` are inclusive timestamps. */
function matches(message: Message, query: URLSearchParams): boolean {
  const same = (name: string, value: string): boolean => !query.has(name) || query.get(name) === value;
  if (!same('To', message.to) || !same('From', message.from)) return false;
  const [day, before, after] = [query.get('DateSent'), query.get('DateSent<'), query.get('DateSent>')];
  if (day === null && before === null && after === null) return true;
  if (message.sentAt === null) return false;
  const sentAt = Date.parse(message.sentAt);
  return (
    (day === null || message.sentAt.startsWith(day.slice(0, 10))) &&
    (before === null || sentAt <= Date.parse(before)) &&
    (after === null || sentAt >= Date.parse(after))
  );
}
