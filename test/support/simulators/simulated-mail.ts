import {
  type CaughtMessage,
  type Mishap,
  startMailSimulator,
} from '../../../tools/simulators/mail/start-mail-simulator.js';
import { ask } from './ask.js';

/** The simulated mail server in this process, with what tests tell and ask it. */
export interface SimulatedMail {
  url: string;
  smtpUrl: string;
  /** What came in for an address, in order. */
  sentTo(address: string): Promise<CaughtMessage[]>;
  /** The next message for an address fares like this. */
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
