import { objectWith } from '../support/read-json.js';
import {
  afterIn,
  HttpFailure,
  noContent,
  openEventStream,
  type Reply,
  type Route,
  type SimulatorRequest,
} from '../support/serve.js';
import { isUrl } from './is-url.js';
import type { Media, Message, MessageStore } from './message-store.js';
import { receive } from './receive.js';
import type { CarrierApi } from './rest-api.js';

/** The control API, which the real carrier lacks: numbers, handsets, all messages and knobs. */
export function controlRoutes(api: CarrierApi): Route[] {
  return [
    ['PUT', '/simulator/numbers/{number}', (request) => configureNumber(api, request)],
    ['GET', '/simulator/numbers', () => listNumbers(api)],
    ['POST', '/simulator/handsets/{handset}/messages', (request) => sendFromHandset(api, request)],
    ['GET', '/simulator/messages', ({ query }) => ({ body: traffic(api.store, query) })],
    ['GET', '/simulator/messages/stream', (request) => streamTraffic(api.store, request)],
    ['GET', '/simulator/knobs', ({ query }) => ({ body: api.knobs.of(query.get('handset') ?? undefined) })],
    ['POST', '/simulator/knobs', (request) => ({ body: api.knobs.turn(request.json()) })],
    ['DELETE', '/simulator/knobs', () => noContent(() => api.knobs.reset())],
  ];
}

/** Sets what is given: where messages go, where calls go, or both. */
function configureNumber(
  { smsUrls, smsFallbackUrls, exchange }: CarrierApi,
  { params, json }: SimulatorRequest,
): Reply {
  const names = ['smsUrl', 'smsFallbackUrl', 'voiceUrl', 'voiceFallbackUrl', 'voiceStatusUrl'];
  const { voiceMethod = 'POST', ...given } = objectWith(json(), [...names, 'voiceMethod']);
  const urls = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (isAddress(value)) return [name, value] as const;
      throw new HttpFailure(400, { error: `${name} has to be an address.` });
    }),
  );
  const { smsUrl, smsFallbackUrl, voiceUrl, voiceFallbackUrl, voiceStatusUrl } = urls;
  if (smsUrl === undefined && voiceUrl === undefined) {
    throw new HttpFailure(400, { error: 'smsUrl or voiceUrl has to be an address.' });
  }
  if (voiceMethod !== 'GET' && voiceMethod !== 'POST') {
    throw new HttpFailure(400, { error: 'voiceMethod is GET or POST.' });
  }
  const number = params.number ?? '';
  if (smsUrl !== undefined) {
    smsUrls.set(number, smsUrl);
    if (smsFallbackUrl === undefined) smsFallbackUrls.delete(number);
    else smsFallbackUrls.set(number, smsFallbackUrl);
  }
  if (voiceUrl !== undefined) {
    exchange.voiceNumbers.set(number, {
      voiceUrl,
      voiceMethod,
      ...(voiceFallbackUrl === undefined ? {} : { voiceFallbackUrl }),
      ...(voiceStatusUrl === undefined ? {} : { voiceStatusUrl }),
    });
  }
  return { body: { number, ...urls } };
}

function listNumbers({ smsUrls, exchange }: CarrierApi): Reply {
  const numbers = new Set([...smsUrls.keys(), ...exchange.voiceNumbers.keys()]);
  return {
    body: [...numbers].map((number) => ({
      number,
      ...(smsUrls.has(number) ? { smsUrl: smsUrls.get(number) } : {}),
      ...exchange.voiceNumbers.get(number),
    })),
  };
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && isUrl(value);
}

async function sendFromHandset(api: CarrierApi, { params, json }: SimulatorRequest): Promise<Reply> {
  const { to, body, repeat = 1, media = [] } = objectWith(json(), ['to', 'body', 'repeat', 'media']);
  if (typeof to !== 'string' || typeof body !== 'string' || typeof repeat !== 'number') {
    throw new HttpFailure(400, { error: 'to and body have to be strings, repeat a number.' });
  }
  const sent = { handset: params.handset ?? '', to, body, repeat, media: readMedia(media) };
  const { message, webhook } = await receive(api, sent);
  return { status: 201, body: { ...message, webhook } };
}

function readMedia(given: unknown): Omit<Media, 'sid'>[] {
  if (!Array.isArray(given)) throw new HttpFailure(400, { error: 'media has to be a list.' });
  return given.map((item: unknown) => {
    const { contentType, base64 } = objectWith(item, ['contentType', 'base64']);
    if (typeof contentType === 'string' && typeof base64 === 'string') {
      return { contentType, bytes: Buffer.from(base64, 'base64') };
    }
    throw new HttpFailure(400, { error: 'Media have a contentType and base64.' });
  });
}

function traffic(store: MessageStore, query: URLSearchParams): Message[] {
  const handset = query.get('handset');
  return store.after(afterIn(query)).filter((message) => concerns(message, handset));
}

/** Streams the messages so far (after `after`), then all changes, as `message` and `update` events. */
function streamTraffic(store: MessageStore, { query, response }: SimulatorRequest): undefined {
  const handset = query.get('handset');
  const write = (event: 'message' | 'update') => (message: Message) => {
    if (!concerns(message, handset)) return;
    response.write(`event: ${event}\nid: ${message.sequence}\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const [onMessage, onUpdate] = [write('message'), write('update')];
  openEventStream(response);
  for (const message of traffic(store, query)) onMessage(message);
  store.on('message', onMessage).on('update', onUpdate);
  response.once('close', () => store.off('message', onMessage).off('update', onUpdate));
}

function concerns({ from, to }: Message, handset: string | null): boolean {
  return handset === null || from === handset || to === handset;
}
