import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { objectWith } from '../support/read-json.js';
import {
  afterIn,
  HttpFailure,
  noContent,
  type Reply,
  type Route,
  type RunningSimulator,
  serve,
} from '../support/serve.js';

export interface CaughtMessage {
  sequence: number;
  receivedAt: string;
  /** Sender and recipients of the SMTP envelope, which may differ from the headers. */
  from: string;
  to: string[];
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** A fault for the next message to an address: a reply code, or the end of the connection instead of a reply. */
const Mishap = Type.Object({
  to: Type.String(),
  reply: Type.Optional(Type.Number({ minimum: 400, exclusiveMaximum: 600 })),
  hangUp: Type.Optional(Type.Boolean()),
});
export type Mishap = Static<typeof Mishap>;

class Mailbox {
  readonly #messages: CaughtMessage[] = [];
  readonly #mishaps: Mishap[] = [];
  #sequence = 0;

  add(message: Omit<CaughtMessage, 'sequence'>): void {
    this.#sequence += 1;
    this.#messages.push({ sequence: this.#sequence, ...message });
  }

  after(sequence: number, to: string | null): CaughtMessage[] {
    return this.#messages.filter(
      (message) => message.sequence > sequence && (to === null || message.to.includes(to.toLowerCase())),
    );
  }

  clear(): void {
    this.#messages.splice(0);
  }

  plan(mishap: Mishap): void {
    this.#mishaps.push(mishap);
  }

  nextMishap(to: readonly string[]): Mishap | undefined {
    const index = this.#mishaps.findIndex((mishap) => to.includes(mishap.to));
    return index < 0 ? undefined : this.#mishaps.splice(index, 1)[0];
  }
}

const largestBytes = 20 * 1024 * 1024;

export interface RunningMailSimulator extends RunningSimulator {
  smtpUrl: string;
}

/** Starts a simulated mail server whose messages can be listed over HTTP, at `port`. 0 selects a free port. */
export async function startMailSimulator(options: {
  port: number;
  smtpPort: number;
  host?: string;
}): Promise<RunningMailSimulator> {
  const { port, smtpPort, host = '127.0.0.1' } = options;
  const mailbox = new Mailbox();
  const smtp = await listenForMail(mailbox, smtpPort, host);
  try {
    const web = await serve(routesOf(mailbox), port, host);
    return {
      url: web.url,
      smtpUrl: `smtp://${host.includes(':') ? `[${host}]` : host}:${smtp.port}`,
      close: async () => {
        await Promise.all([web.close(), smtp.close()]);
      },
    };
  } catch (error) {
    await smtp.close();
    throw error;
  }
}

/** Accepts every message for every address and delivers none. */
async function listenForMail(mailbox: Mailbox, port: number, host: string) {
  const server = new SMTPServer({
    // Loopback only: no certificate and no authentication needed.
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'anyone' }),
    size: largestBytes,
    onData: (stream, session, callback) => {
      take(mailbox, stream, session).then(
        (taken) => {
          if (taken === 'hang up') hangUp(server, session);
          else callback(taken);
        },
        () => callback(replyWith(554)),
      );
    },
  });
  server.on('error', () => undefined);
  server.listen(port, host);
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** @returns null to accept, an error with a reply code to reject, `hang up` to close the connection without a reply */
async function take(
  mailbox: Mailbox,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<null | Error | 'hang up'> {
  const parsed = await simpleParser(stream);
  const to = envelope.rcptTo.map(({ address }) => address.toLowerCase());
  const mishap = mailbox.nextMishap(to);
  if (mishap?.reply !== undefined) return replyWith(mishap.reply);
  mailbox.add({
    receivedAt: new Date().toISOString(),
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to,
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    headers: Object.fromEntries(
      parsed.headerLines.map(({ key, line }) => [key, line.slice(key.length + 1).trim()]),
    ),
  });
  return mishap?.hangUp === true ? 'hang up' : null;
}

function replyWith(responseCode: number): Error {
  return Object.assign(new Error('Simulated.'), { responseCode });
}

function hangUp(server: SMTPServer, { id }: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.id === id) connection.close();
}

function routesOf(mailbox: Mailbox): Route[] {
  return [
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'mail' } })],
    ['GET', '/messages', ({ query }) => ({ body: mailbox.after(afterIn(query), query.get('to')) })],
    ['DELETE', '/messages', () => noContent(() => mailbox.clear())],
    ['POST', '/mishaps', ({ json }) => plan(mailbox, json())],
  ];
}

function plan(mailbox: Mailbox, body: unknown): Reply {
  const mishap = objectWith(body, Object.keys(Mishap.properties));
  if (!Check(Mishap, mishap)) {
    const error = 'to has to be an address, reply a code from 400, hangUp a boolean.';
    throw new HttpFailure(400, { error });
  }
  return noContent(() => mailbox.plan({ ...mishap, to: mishap.to.toLowerCase() }));
}
