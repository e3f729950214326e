import { HttpFailure } from '../support/serve.js';
import { deliver } from './deliver.js';
import type { Media, Message } from './message-store.js';
import { OptOuts, type OptOutType } from './opt-outs.js';
import { postWebhook, type WebhookResult } from './post-webhook.js';
import { segments } from './present.js';
import type { CarrierApi } from './rest-api.js';

/** Handles STOP and START, calls the number's webhook, or its fallback if that fails, and sends the TwiML's texts. */
export async function receive(
  api: CarrierApi,
  {
    handset,
    to,
    body,
    repeat,
    media = [],
  }: { handset: string; to: string; body: string; repeat: number; media?: readonly Omit<Media, 'sid'>[] },
): Promise<{ message: Message; webhook: WebhookResult[] }> {
  const smsUrl = api.smsUrls.get(to);
  if (smsUrl === undefined) throw new HttpFailure(409, { error: 'No smsUrl is set for that number.' });

  const message = api.store.add({ direction: 'inbound', from: handset, to, body, status: 'received' }, media);
  const { optOut } = api.knobs.of(handset);
  const optOutType = optOut === 'off' ? undefined : OptOuts.typeOf(body);
  if (optOutType !== undefined) reply(api, message, api.optOuts.apply(optOutType, handset, to));

  const fields = webhookFields(api, message, optOut === 'advanced' ? optOutType : undefined);
  const times = repeat + (api.knobs.takes(handset, 'doubled') ? 1 : 0);
  const webhook: WebhookResult[] = [];
  for (let time = 0; time < times; time += 1) {
    for (const url of [smsUrl, api.smsFallbackUrls.get(to)]) {
      if (url === undefined) continue;
      const result = await postWebhook(api.sender, url, fields);
      webhook.push(result);
      api.store.addCallback(message, 'received', result);
      if (result.outcome !== 'answered' || result.httpStatus >= 300) continue;
      for (const answer of twimlMessages(result.text)) reply(api, message, answer);
      break;
    }
  }
  return { message, webhook };
}

function reply(api: CarrierApi, { from, to }: Message, body: string): void {
  const answer = api.store.add({ direction: 'outbound-reply', from: to, to: from, body, status: 'queued' });
  api.beside(deliver(api, answer));
}

function webhookFields(api: CarrierApi, message: Message, optOutType?: OptOutType) {
  const { accountSid } = api;
  return {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    Body: message.body,
    From: message.from,
    MessageSid: message.sid,
    NumMedia: String(message.mediaCount),
    ...mediaFields(api, message),
    NumSegments: String(segments(message.body)),
    SmsMessageSid: message.sid,
    SmsSid: message.sid,
    SmsStatus: 'received',
    To: message.to,
    ...(optOutType && { OptOutType: optOutType }),
  };
}

/** The addresses in the webhook are at the API, and need its credentials. */
function mediaFields({ accountSid, store, ownUrl }: CarrierApi, { sid }: Message): Record<string, string> {
  return Object.fromEntries(
    store.mediaOf(sid).flatMap((media, index) => [
      [`MediaContentType${index}`, media.contentType],
      [
        `MediaUrl${index}`,
        `${ownUrl()}/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media/${media.sid}`,
      ],
    ]),
  );
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The texts of a TwiML answer's `<Message>` verbs; any other answer has none. */
function twimlMessages(xml: string): string[] {
  return [...xml.matchAll(/<Message\b[^>]*>([\s\S]*?)<\/Message>/g)]
    .map(([, inner]) => unescapeXml((inner?.match(/<Body>([\s\S]*?)<\/Body>/)?.[1] ?? inner ?? '').trim()))
    .filter((text) => text !== '');
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const hexadecimal = name[1]?.toLowerCase() === 'x';
    return String.fromCodePoint(Number.parseInt(name.slice(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10));
  });
}
