import { HttpFailure } from '../support/serve.js';
import { deliver } from './deliver.js';
import type { Message } from './message-store.js';
import { OptOuts, type OptOutType } from './opt-outs.js';
import { postWebhook, type WebhookResult } from './post-webhook.js';
import type { RestApi } from './rest-api.js';
import { segments } from './segments.js';
import { twimlMessages } from './twiml.js';

export interface Received {
  message: Message;
  /** The result of each call of the webhook. */
  webhook: WebhookResult[];
}

/**
 * Processes a text from a handset: handles STOP and START according to the knob, calls the number's webhook, or its
 * fallback if that fails, and sends the texts of `<Message>` in the response.
 */
export async function receive(
  api: RestApi & { smsUrls: Map<string, string>; smsFallbackUrls: Map<string, string> },
  text: { handset: string; to: string; body: string; repeat: number },
): Promise<Received> {
  const { handset, to, body } = text;
  const smsUrl = api.smsUrls.get(to);
  if (smsUrl === undefined) throw new HttpFailure(409, { error: 'No smsUrl is set for that number.' });

  const message = api.store.add({ direction: 'inbound', from: handset, to, body, status: 'received' });
  const { optOut } = api.knobs.of(handset);
  const optOutType = optOut === 'off' ? undefined : OptOuts.typeOf(body);
  if (optOutType !== undefined) reply(api, message, api.optOuts.apply(optOutType, handset, to));

  const fields = webhookFields(api.accountSid, message, optOut === 'advanced' ? optOutType : undefined);
  const times = text.repeat + (api.knobs.takes(handset, 'doubled') ? 1 : 0);
  const webhook: WebhookResult[] = [];
  for (let time = 0; time < times; time += 1) {
    const fallbackUrl = api.smsFallbackUrls.get(to);
    for (const url of [smsUrl, ...(fallbackUrl === undefined ? [] : [fallbackUrl])]) {
      const result = await postWebhook(api.sender, url, fields);
      webhook.push(result);
      const { outcome } = result;
      const httpStatus = outcome === 'answered' ? { httpStatus: result.httpStatus } : {};
      api.store.addCallback(message, { status: 'received', outcome, ...httpStatus });
      if (result.outcome !== 'answered' || result.httpStatus >= 300) continue;
      for (const answer of twimlMessages(result.text)) reply(api, message, answer);
      break;
    }
  }
  return { message, webhook };
}

function reply(api: RestApi, { from, to }: Message, body: string): void {
  const answer = api.store.add({ direction: 'outbound-reply', from: to, to: from, body, status: 'queued' });
  api.beside(deliver(api, answer));
}

function webhookFields(
  accountSid: string,
  message: Message,
  optOutType: OptOutType | undefined,
): Record<string, string> {
  return {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    Body: message.body,
    From: message.from,
    MessageSid: message.sid,
    NumMedia: '0',
    NumSegments: String(segments(message.body)),
    SmsMessageSid: message.sid,
    SmsSid: message.sid,
    SmsStatus: 'received',
    To: message.to,
    ...(optOutType === undefined ? {} : { OptOutType: optOutType }),
  };
}
