import type { KnobValues } from '../../../tools/simulators/carrier/knobs.js';
import type { Message } from '../../../tools/simulators/carrier/message-store.js';
import type { WebhookResult } from '../../../tools/simulators/carrier/post-webhook.js';
import {
  DEFAULT_ACCOUNT_SID,
  DEFAULT_AUTH_TOKEN,
  startCarrierSimulator,
} from '../../../tools/simulators/carrier/start-carrier-simulator.js';
import { ask } from './ask.js';
import { type SimulatedCalls, simulatedCalls } from './simulated-calls.js';

export type CarrierTraffic = Message;

/** A picture or another file; the bytes may be of another type than the carrier says. */
export interface SentMedia {
  contentType: string;
  bytes: Buffer;
}

export interface SimulatedCarrier {
  url: string;
  credentials: { accountSid: string; authToken: string; apiBaseUrl: string };
  calls: SimulatedCalls;
  /** Inbound messages of a number go to the api at this address. */
  route(number: string, baseUrl: string): Promise<void>;
  /** A person writes from a handset. Resolves once the webhook has taken it. */
  write(handset: string, to: string, body: string, media?: readonly SentMedia[]): Promise<void>;
  sentTo(handset: string): Promise<CarrierTraffic[]>;
  turn(knobs: Partial<KnobValues> & { handset?: string }): Promise<void>;
  /** The knobs as they stand for a handset; counts go down. */
  knobs(handset: string): Promise<KnobValues>;
  close(): Promise<void>;
}

export async function startCarrier(): Promise<SimulatedCarrier> {
  const { url, close } = await startCarrierSimulator({ port: 0 });
  return {
    url,
    credentials: { accountSid: DEFAULT_ACCOUNT_SID, authToken: DEFAULT_AUTH_TOKEN, apiBaseUrl: url },
    calls: simulatedCalls(url),
    async route(number, baseUrl) {
      const smsUrl = `${baseUrl}/api/v2/carrier-messages/inbound`;
      await ask(url, 'PUT', `/simulator/numbers/${encodeURIComponent(number)}`, { smsUrl });
    },
    async write(handset, to, body, sent = []) {
      const media = sent.map(({ contentType, bytes }) => ({ contentType, base64: bytes.toString('base64') }));
      const path = `/simulator/handsets/${encodeURIComponent(handset)}/messages`;
      const { webhook } = await ask<{ webhook: WebhookResult[] }>(url, 'POST', path, { to, body, media });
      for (const result of webhook) {
        if (result.outcome === 'answered' && result.httpStatus < 300) continue;
        throw new Error(`the webhook did not take the message: ${JSON.stringify(result)}`);
      }
    },
    async sentTo(handset) {
      const path = `/simulator/messages?handset=${encodeURIComponent(handset)}`;
      const traffic = await ask<Message[]>(url, 'GET', path);
      return traffic.filter((message) => message.direction !== 'inbound');
    },
    async turn(knobs) {
      await ask(url, 'POST', '/simulator/knobs', knobs);
    },
    knobs: (handset) =>
      ask<KnobValues>(url, 'GET', `/simulator/knobs?handset=${encodeURIComponent(handset)}`),
    close,
  };
}
