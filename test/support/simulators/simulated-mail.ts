import {
  type CaughtMessage,
  type Mishap,
  startMailSimulator,
} from '../../../tools/simulators/mail/start-mail-simulator.js';
import { ask } from './ask.js';

export interface SimulatedMail {
  url: string;
  smtpUrl: string;
  sentTo(address: string): Promise<CaughtMessage[]>;
  plan(mishap: Mishap): Promise<void>;
  close(): Promise<void>;
}

export async function startMail(): Promise<SimulatedMail> {
  const { url, smtpUrl, close } = await startMailSimulator({ port: 0, smtpPort: 0 });
  return {
    url,
    smtpUrl,
    sentTo: (address) => ask(url, 'GET', `/messages?to=${encodeURIComponent(address)}`),
    plan: (mishap) => ask(url, 'POST', '/mishaps', mishap),
    close,
  };
}
