import type { Knobs } from './knobs.js';
import { handsetOf, type Media, type Message } from './message-store.js';

/** The statuses after which the carrier bills a message. */
const ENDED = new Set(['delivered', 'undelivered', 'failed', 'received']);

/** A message as the carrier tells it; one that has ended is billed by the first look after `billedAfterMs`. */
export function presentMessage(
  { accountSid, knobs }: { accountSid: string; knobs: Knobs },
  message: Message,
) {
  const { billedAfterMs, pricePerSegment, priceUnit } = knobs.of(handsetOf(message));
  const isDue = billedAfterMs !== null && Date.now() - Date.parse(message.updatedAt) >= billedAfterMs;
  if (isDue && ENDED.has(message.status)) {
    message.price ??= `-${(segments(message.body) * pricePerSegment).toFixed(5)}`;
  }
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.body,
    date_created: rfc2822(message.createdAt),
    date_sent: message.sentAt === null ? null : rfc2822(message.sentAt),
    date_updated: rfc2822(message.updatedAt),
    direction: message.direction,
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: null,
    num_media: String(message.mediaCount),
    num_segments: String(segments(message.body)),
    price: message.price,
    price_unit: priceUnit,
    sid: message.sid,
    status: message.status,
    subresource_uris: {},
    to: message.to,
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}.json`,
  };
}

export function presentMedia(accountSid: string, message: Message, { sid, contentType }: Media) {
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}/Media/${sid}.json`;
  return {
    sid,
    account_sid: accountSid,
    parent_sid: message.sid,
    content_type: contentType,
    date_created: rfc2822(message.createdAt),
    date_updated: rfc2822(message.updatedAt),
    uri: path,
  };
}

export function rfc2822(timestamp: string): string {
  return new Date(timestamp).toUTCString().replace('GMT', '+0000');
}

/** The basic and extended characters of GSM 03.38; an extended character counts twice. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('^{}\\[~]|€');

/** The number of SMS segments of a text: 160 or 70 characters alone, 153 or 67 in each part of several. */
export function segments(text: string): number {
  const characters = [...text];
  const gsm = characters.every((character) => BASIC.has(character) || EXTENDED.has(character));
  const places = gsm ? characters.length + characters.filter((one) => EXTENDED.has(one)).length : text.length;
  const [alone, chained] = gsm ? [160, 153] : [70, 67];
  return places <= alone ? 1 : Math.ceil(places / chained);
}
