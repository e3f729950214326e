import {
  type CaughtMessage,
  type Mishap,
  type Subscriber,
  startMailSimulator,
  type WrittenMail,
} from '../../../tools/simulators/mail/start-mail-simulator.js';
import { ask } from './ask.js';

export interface SimulatedMail {
  url: string;
  smtpUrl: string;
  sentTo(address: string): Promise<CaughtMessage[]>;
  /** A message as it came. */
  raw(sequence: number): Promise<Buffer>;
  plan(fault: Mishap): Promise<void>;
  /** What is on its way to a mailbox, and what hangs by mishaps. */
  underWay(): Promise<{ mails: number; hanging: number }>;
  /** Forgets mishaps, those of a name or all, and lets go what hangs by them. */
  forget(name?: string): Promise<void>;
  /** Mail for the address is handed in from now on. */
  subscribe(subscriber: Subscriber): Promise<void>;
  /** A person writes to such an address. */
  write(mail: WrittenMail): Promise<{ statuses: number[] }>;
  /** The only account that may send; without one, everybody may. */
  setAccount(account?: { user: string; password: string }): Promise<void>;
  close(): Promise<void>;
}

export async function startMail(): Promise<SimulatedMail> {
  const { url, smtpUrl, close } = await startMailSimulator({ port: 0, smtpPort: 0 });
  return {
    url,
    smtpUrl,
    sentTo: (address) => ask(url, 'GET', `/messages?to=${encodeURIComponent(address)}`),
    raw: async (sequence) => {
      const { base64 } = await ask<{ base64: string }>(url, 'GET', `/messages/${sequence}/raw`);
      return Buffer.from(base64, 'base64');
    },
    setAccount: (account = undefined) => ask(url, 'PUT', '/account', account ?? {}),
    subscribe: (subscriber) => ask(url, 'PUT', '/mailboxes', subscriber),
    write: (mail) => ask(url, 'POST', '/mails', mail),
    plan: (fault) => ask(url, 'POST', '/mishaps', fault),
    underWay: () => ask(url, 'GET', '/under-way'),
    forget: (name) =>
      ask(url, 'DELETE', `/mishaps${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`),
    close,
  };
}
