import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Type, { type Static } from 'typebox';

/** An address for which the server receives mail, and where it hands it in. */
export const Subscriber = Type.Object({
  address: Type.String(),
  url: Type.String(),
  secret: Type.String(),
  /** The name that the server puts into Authentication-Results. */
  authservId: Type.String(),
  /** For how long what is refused for now is tried again; by default some seconds. */
  patienceMs: Type.Optional(Type.Number({ minimum: 0 })),
});
export type Subscriber = Static<typeof Subscriber>;

/** A mail that a person, or a program, writes. */
export const WrittenMail = Type.Object({
  from: Type.String(),
  to: Type.String(),
  subject: Type.Optional(Type.String()),
  text: Type.String(),
  inReplyTo: Type.Optional(Type.String()),
  references: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.String()),
  /** Further header lines. */
  headers: Type.Optional(Type.Array(Type.String())),
  /** What the server finds out by DMARC; by default `pass`. */
  dmarc: Type.Optional(Type.String()),
  /** How often it is handed in; the copies come another way. */
  times: Type.Optional(Type.Number({ minimum: 1, maximum: 20 })),
});
export type WrittenMail = Static<typeof WrittenMail>;

/** After how long, at first and at most, and for how long unless told, a server tries again what was refused for now. */
const retries = { firstMs: 500, maxMs: 4_000, patienceMs: 7_500 };

/** The part of a mail server that receives: it authenticates senders, and hands mail in by HTTP. */
export class ReceivingServer {
  readonly #subscribers = new Map<string, Subscriber>();

  subscribe(subscriber: Subscriber): void {
    this.#subscribers.set(subscriber.address.toLowerCase(), subscriber);
  }

  /** Whether mail for the address is handed in: `desk+anything@…` is for `desk@…`. */
  #find(address: string): Subscriber | undefined {
    return this.#subscribers.get(address.toLowerCase().replace(/\+[^@]*@/, '@'));
  }

  /** @returns the statuses of the answers; empty if the server does not receive for the address */
  async write(mail: WrittenMail): Promise<number[]> {
    const { times = 1, dmarc = 'pass' } = mail;
    const raw = mimeOf(mail);
    const address = addressIn(mail.to);
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) {
      const status = await this.receive({ from: addressIn(mail.from), to: address, raw, dmarc });
      if (status !== undefined) statuses.push(status);
    }
    return statuses;
  }

  /** Hands a mail in, as it came by SMTP. @returns the last status; undefined if the server does not receive for the address */
  async receive(mail: {
    from: string;
    to: string;
    raw: Buffer;
    dmarc?: string;
  }): Promise<number | undefined> {
    const subscriber = this.#find(mail.to);
    if (subscriber === undefined) return undefined;
    const { url, secret, authservId, patienceMs = retries.patienceMs } = subscriber;
    // A server removes what others have written in its name.
    const own = new RegExp(`^authentication-results:\\s*${authservId.replaceAll('.', '\\.')}\\b`, 'i');
    const lines = mail.raw.toString('latin1').split('\r\n');
    const end = lines.indexOf('');
    const header = lines.slice(0, end).filter((line) => !own.test(line));
    const from = header.find((line) => /^from:/i.test(line)) ?? '';
    const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'none';
    const added = [
      `Return-Path: <${mail.from}>`,
      `Delivered-To: ${subscriber.address}`,
      `X-Original-To: ${mail.to}`,
      `Received: by ${authservId} with SMTP id ${randomUUID()}; ${new Date().toUTCString()}`,
      `Authentication-Results: ${authservId}; dmarc=${mail.dmarc ?? 'pass'} header.from=${domain}`,
    ];
    const body = Buffer.from([...added, ...header, ...lines.slice(end)].join('\r\n'), 'latin1');
    for (let [wait, waited] = [retries.firstMs, 0]; ; ) {
      const status = await post(url, secret, body);
      if (waited >= patienceMs || (status < 500 && status !== 429)) return status;
      await delay(wait, undefined, { ref: false });
      waited += wait;
      wait = Math.min(2 * wait, retries.maxMs);
    }
  }
}

async function post(url: string, secret: string, body: Buffer): Promise<number> {
  try {
    const headers = { 'Content-Type': 'message/rfc822', 'X-Inbox-Secret': secret };
    return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
  } catch {
    return 599;
  }
}

function addressIn(text: string): string {
  return /<([^>]*)>/.exec(text)?.[1] ?? text.trim();
}

function mimeOf({
  from,
  to,
  subject = '',
  text,
  inReplyTo,
  references,
  messageId,
  headers = [],
}: WrittenMail): Buffer {
  const id = messageId ?? `<${randomUUID()}@simulated.example>`;
  return Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      `Message-ID: ${id}`,
      `Date: ${new Date().toUTCString()}`,
      ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${inReplyTo}`]),
      ...(references === undefined ? [] : [`References: ${references}`]),
      ...headers,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      text.replace(/\r?\n/g, '\r\n'),
      '',
    ].join('\r\n'),
  );
}
