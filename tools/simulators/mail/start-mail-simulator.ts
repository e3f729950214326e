import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
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
import { postBounce } from './bounce.js';
import { type CaughtMessage, Mailbox } from './mailbox.js';
import { Faults, Mishap } from './mishaps.js';
import { ReceivingServer, Subscriber, WrittenMail } from './receiving-server.js';
import { findFault } from './strictness.js';

export type { CaughtMessage } from './mailbox.js';
export type { Mishap } from './mishaps.js';
export type { Subscriber, WrittenMail } from './receiving-server.js';

/** The only user that may send; undefined: everybody may. */
interface Account {
  user: string;
  password: string;
}

interface Server {
  mailbox: Mailbox;
  mishaps: Faults;
  account: Account | undefined;
  receiving: ReceivingServer;
  /** Connections that a mishap keeps waiting, by their id, with the name of it. */
  hanging: Map<string, { name: string | undefined; hangUp: () => void }>;
  /** Mails and reports on their way to a mailbox. */
  underWay: number;
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
  const state: Server = {
    mailbox: new Mailbox(),
    mishaps: new Faults(),
    account: undefined,
    receiving: new ReceivingServer(),
    hanging: new Map(),
    underWay: 0,
  };
  const smtp = await listenForMail(state, smtpPort, host);
  try {
    const web = await serve(routesOf(state), port, host);
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

/** Takes what a strict relay takes, for every address, and delivers only what is for a subscribed one. */
async function listenForMail(state: Server, port: number, host: string) {
  const server = new SMTPServer({
    // Loopback only: no certificate and, unless there is an account, no authentication needed.
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    // A client that waits for an answer is not waited for.
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, callback) => {
      const { account } = state;
      if (account !== undefined && (account.user !== username || account.password !== password)) {
        return callback(replyWith(535, '5.7.8 Authentication credentials invalid'));
      }
      callback(null, { user: username ?? 'anyone' });
    },
    size: largestBytes,
    onConnect: (session, callback) => {
      answer(state, server, session, state.mishaps.next('CONNECT', []), callback);
    },
    onClose: ({ id }) => void state.hanging.delete(id),
    onMailFrom: (_address, session, callback) => {
      if (state.account !== undefined && session.user === undefined) {
        return callback(replyWith(530, '5.7.0 Authentication required'));
      }
      answer(state, server, session, state.mishaps.next('MAIL', []), callback);
    },
    onRcptTo: ({ address }, session, callback) => {
      answer(state, server, session, state.mishaps.next('RCPT', [address.toLowerCase()]), callback);
    },
    onData: (stream, session, callback) => {
      take(state, stream, session).then(
        ({ refusal, mishap, reply, message }) => {
          if (refusal !== undefined) callback(refusal);
          else if (mishap?.hangUp === true || mishap?.hang === true)
            answer(state, server, session, mishap, callback);
          else {
            if (message !== undefined) message.answered = true;
            callback(null, reply);
          }
        },
        () => callback(replyWith(554, '5.6.0 The message cannot be read')),
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

function answer(
  { hanging }: Pick<Server, 'hanging'>,
  server: SMTPServer,
  session: SMTPServerSession,
  mishap: Mishap | undefined,
  callback: (error?: Error | null) => void,
): void {
  if (mishap?.hang === true) {
    hanging.set(session.id, { name: mishap.name, hangUp: () => hangUp(server, session) });
  } else if (mishap?.hangUp === true) hangUp(server, session);
  else if (mishap?.reply !== undefined) callback(replyWith(mishap.reply, mishap.text));
  else callback(null);
}

interface Taken {
  refusal?: Error;
  mishap?: Mishap | undefined;
  /** The text of a positive reply. */
  reply?: string;
  message?: CaughtMessage;
}

async function take(
  server: Server,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<Taken> {
  const { mailbox, mishaps, receiving } = server;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  if (stream.sizeExceeded) return { refusal: replyWith(552, '5.3.4 The message is too large') };
  const fault = findFault(raw);
  if (fault !== undefined) return { refusal: replyWith(554, `5.6.0 ${fault}`) };
  const to = envelope.rcptTo.map(({ address }) => address.toLowerCase());
  const mishap = mishaps.next('DATA', to);
  if (mishap?.reply !== undefined) return { refusal: replyWith(mishap.reply, mishap.text) };
  const parsed = await simpleParser(raw);
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const headers = Object.fromEntries(
    parsed.headerLines.map(({ key, line }) => [key, unfolded(line.slice(key.length + 1))]),
  );
  const newId = mishap?.replaceId === true ? `<${randomUUID()}@simulated.prod.outlook.com>` : undefined;
  const message = mailbox.add(
    {
      receivedAt: new Date().toISOString(),
      from,
      to,
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html === false ? '' : parsed.html,
      headers: newId === undefined ? headers : { ...headers, 'message-id': newId },
      answered: false,
      reports: [],
      attachments: parsed.attachments.map(({ filename, contentType, content }) => ({
        filename: filename ?? '',
        contentType,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    },
    raw,
  );
  for (const address of to) bring(server, receiving.receive({ from, to: address, raw }));
  const { bounce } = mishap ?? {};
  if (bounce !== undefined) {
    for (const address of to) {
      const posted = postBounce({ from, to: address, raw }, bounce, receiving);
      bring(
        server,
        posted.then((statuses) => message.reports.push(...statuses)),
      );
    }
  }
  return { mishap, reply: newId === undefined ? '2.0.0 OK: queued' : `2.0.0 OK ${newId}`, message };
}

/** Counts what is on its way to a mailbox; the server does not wait for it. */
function bring(server: Server, brought: Promise<unknown>): void {
  server.underWay += 1;
  brought
    .catch(() => undefined)
    .finally(() => {
      server.underWay -= 1;
    });
}

function unfolded(value: string): string {
  return value.replace(/\r?\n[ \t]/g, ' ').trim();
}

function replyWith(responseCode: number, text = 'Simulated.'): Error {
  return Object.assign(new Error(text), { responseCode });
}

function hangUp(server: SMTPServer, { id }: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.id === id) connection.close();
}

function routesOf(state: Server): Route[] {
  const { mailbox, mishaps, receiving } = state;
  return [
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'mail' } })],
    ['GET', '/messages', ({ query }) => ({ body: mailbox.after(afterIn(query), query.get('to')) })],
    [
      'GET',
      '/messages/{sequence}/raw',
      ({ params }) => {
        const raw = mailbox.raw(Number(params.sequence));
        if (raw === undefined) throw new HttpFailure(404, { error: 'There is no such message.' });
        return { body: { base64: raw.toString('base64') } };
      },
    ],
    ['DELETE', '/messages', () => noContent(() => mailbox.clear())],
    ['GET', '/under-way', () => ({ body: { mails: state.underWay, hanging: state.hanging.size } })],
    ['POST', '/mishaps', ({ json }) => plan(mishaps, json())],
    ['DELETE', '/mishaps', ({ query }) => noContent(() => forget(state, query.get('name') ?? undefined))],
    ['PUT', '/seed', ({ json }) => reseed(mishaps, json())],
    ['PUT', '/account', ({ json }) => setAccount(state, json())],
    ['PUT', '/mailboxes', ({ json }) => subscribe(receiving, json())],
    ['POST', '/mails', ({ json }) => write(receiving, json())],
  ];
}

/** What hangs is let go, as by a server that is started anew. */
function forget({ mishaps, hanging }: Server, name: string | undefined): void {
  mishaps.forget(name);
  for (const one of [...hanging.values()]) if (name === undefined || one.name === name) one.hangUp();
}

function reseed(mishaps: Faults, body: unknown): Reply {
  const { seed } = objectWith(body, ['seed']);
  if (!Number.isInteger(seed)) throw new HttpFailure(400, { error: 'seed has to be a whole number.' });
  return noContent(() => mishaps.reseed(seed as number));
}

function plan(mishaps: Faults, body: unknown): Reply {
  const mishap = objectWith(body, Object.keys(Mishap.properties));
  if (!Check(Mishap, mishap)) {
    const error =
      'to has to be an address or *, at CONNECT, MAIL, RCPT or DATA, reply a code from 400, bounce an object, others as in the guide.';
    throw new HttpFailure(400, { error });
  }
  return noContent(() => mishaps.plan(mishap));
}

function subscribe(receiving: ReceivingServer, body: unknown): Reply {
  const subscriber = objectWith(body, Object.keys(Subscriber.properties));
  if (!Check(Subscriber, subscriber)) {
    throw new HttpFailure(400, { error: 'address, url, secret and authservId have to be texts.' });
  }
  return noContent(() => receiving.subscribe(subscriber));
}

async function write(receiving: ReceivingServer, body: unknown): Promise<Reply> {
  const mail = objectWith(body, Object.keys(WrittenMail.properties));
  if (!Check(WrittenMail, mail)) {
    throw new HttpFailure(400, { error: 'from, to and text have to be texts, others as in the guide.' });
  }
  const statuses = await receiving.write(mail);
  if (statuses.length === 0) throw new HttpFailure(404, { error: 'No mailbox has this address.' });
  return { body: { statuses } };
}

function setAccount(state: Server, body: unknown): Reply {
  const { user, password } = objectWith(body, ['user', 'password']);
  if (user === undefined && password === undefined) {
    return noContent(() => {
      state.account = undefined;
    });
  }
  if (typeof user !== 'string' || typeof password !== 'string') {
    throw new HttpFailure(400, {
      error: 'user and password have to be texts, or absent: everybody may send.',
    });
  }
  return noContent(() => {
    state.account = { user, password };
  });
}
