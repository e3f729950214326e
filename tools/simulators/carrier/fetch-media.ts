import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from './delivery.js';
import type { MediaFetch, Message } from './message-store.js';

/** Types that the carrier accepts: https://www.twilio.com/docs/messaging/guides/accepted-mime-types */
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/gif']);
const OTHERS = new Set([
  ...['application/pdf', 'application/vcard', 'application/vnd.apple.pkpass'],
  ...['audio/3gpp', 'audio/3gpp2', 'audio/ac3', 'audio/amr', 'audio/amr-nb', 'audio/basic', 'audio/L24'],
  ...['audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/vnd.rn-realaudio', 'audio/vnd.wave', 'audio/webm'],
  ...['image/bmp', 'image/tiff'],
  ...[
    'text/calendar',
    'text/csv',
    'text/directory',
    'text/richtext',
    'text/rtf',
    'text/vcard',
    'text/x-vcard',
  ],
  ...['video/3gpp', 'video/3gpp-tt', 'video/3gpp2', 'video/h261', 'video/h263', 'video/h263-1998'],
  ...['video/h263-2000', 'video/h264', 'video/mp4', 'video/mpeg', 'video/quicktime', 'video/webm'],
]);
const MOST_BYTES = 5_000_000;
const MOST_BYTES_OF_OTHERS = 500_000;
const FETCH_TIMEOUT_MS = 10_000;

/**
 * Fetches the media of a message from their addresses, as strangers do: without credentials, whatever it takes.
 * @returns the carrier's code of what is wrong with them, if anything
 */
export async function fetchMedia(delivery: Delivery, message: Message): Promise<number | undefined> {
  const { store, knobs, sender } = delivery;
  if (message.mediaUrls.length === 0) return undefined;
  await delay(knobs.of(message.to).mediaFetchMs, undefined, { signal: sender.closing });
  const times = knobs.takes(message.to, 'mediaFetchedTwice') ? 2 : 1;
  let bytes = Buffer.byteLength(message.body);
  let code: number | undefined;
  for (const url of message.mediaUrls) {
    for (let time = 0; time < times; time += 1) {
      const { fetched, problem } = await fetchOne(url, sender.closing);
      store.addFetch(message, fetched);
      code ??= problem;
      if (time === 0) bytes += fetched.bytes;
    }
  }
  code ??= bytes > MOST_BYTES ? 11751 : undefined;
  return code ?? knobs.applies(message.to, 'mediaRefused')?.code;
}

async function fetchOne(
  url: string,
  closing: AbortSignal,
): Promise<{ fetched: MediaFetch; problem: number | undefined }> {
  const fetched: MediaFetch = { url, httpStatus: null, contentType: null, bytes: 0, sha256: null };
  try {
    const response = await fetch(url, {
      headers: { 'user-agent': 'TwilioProxy/1.1' },
      signal: AbortSignal.any([AbortSignal.timeout(FETCH_TIMEOUT_MS), closing]),
    });
    fetched.httpStatus = response.status;
    fetched.contentType = response.headers.get('content-type');
    const digest = createHash('sha256');
    for await (const chunk of response.body ?? []) {
      fetched.bytes += chunk.length;
      digest.update(chunk);
      if (fetched.bytes > MOST_BYTES) break;
    }
    fetched.sha256 = digest.digest('hex');
    return { fetched, problem: response.status === 200 ? problemOf(fetched) : 11200 };
  } catch {
    return { fetched, problem: 11200 };
  }
}

function problemOf({ contentType, bytes }: MediaFetch): number | undefined {
  const type = contentType?.split(';')[0]?.trim() ?? '';
  if (PICTURES.has(type)) return bytes > MOST_BYTES ? 11751 : undefined;
  if (!OTHERS.has(type)) return 12300;
  return bytes > MOST_BYTES_OF_OTHERS ? 11751 : undefined;
}
