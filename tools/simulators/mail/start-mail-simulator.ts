import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { isObject, objectWith } from '../support/read-json.js';
import {
  afterIn,
  HttpFailure,
  noContent,
  type Reply,
  type Route,
  type RunningSimulator,
  serve,
} from '../support/serve.js';
import { Mailbox, type Mishap } from './mailbox.js';

const largestBytes = 20 * 1024 * 1024;

export interface RunningMailSimulator extends RunningSimulator {
  smtpUrl: string;
}

/** Starts a simulated mail server whose messages can be listed over HTTP, at `port`. 0 selects a free port. */
export async function startMailSimulator({
  port,
  smtpPort,
  host = '127.0.0.1',
}: {
  port: number;
  smtpPort: number;
  host?: string;
}): Promise<RunningMailSimulator> {
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
  const mishap = objectWith(body, ['to', 'reply', 'hangUp']);
  if (!isMishap(mishap)) {
    throw new HttpFailure(400, {
      error: 'to has to be an address, reply a code from 400, hangUp a boolean.',
    });
  }
  return noContent(() => mailbox.plan({ ...mishap, to: mishap.to.toLowerCase() }));
}

function isMishap(value: unknown): value is Mishap {
  if (!isObject(value) || typeof value.to !== 'string') return false;
  const { reply, hangUp } = value;
  return (
    (reply === undefined || (typeof reply === 'number' && reply >= 400 && reply < 600)) &&
    (hangUp === undefined || typeof hangUp === 'boolean')
  );
}
