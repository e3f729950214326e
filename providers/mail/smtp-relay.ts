import { once } from 'node:events';
import net, { isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ProviderFailure } from '../failures.js';
import type { AddressPolicy } from '../webhook/address-policy.js';
import { UnusableAddress } from '../webhook/webhook-url.js';
import type { EmailRelay, MailServer, OutgoingAttachment, OutgoingEmail, TakenEmail } from './email-relay.js';
import { MailBusy, MailUnusable } from './mail.js';
import { failureOf, givenUp, type Progress } from './smtp-failures.js';

export interface SmtpRelayOptions {
  /** The service's own relay, as `smtp://` or `smtps://`; undefined: it has none. */
  url?: string | undefined;
  /** Where mail servers of others may be. */
  hosts: Pick<AddressPolicy, 'target' | 'addressesOf' | 'lookup'>;
  /** Time limit for a connection. */
  timeoutMs?: number;
  /** Time limit for each answer, also for the one to the whole email. */
  answerMs?: number;
  /** Time limit up to the end of the email, besides the time for its bytes. */
  deadlineMs?: number;
}

type ConnectionOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]>;

/** How fast an email has to be taken: 100 kB in a second. */
const bytesPerMs = 100;

/** How long to wait for a connection before trying the next address of a host, as for webhooks. */
const eachAddressMs = 2_500;

/**
 * Emails by SMTP, through the connections of `nodemailer`. Opens one connection for each email, and reads its body itself:
 * whether a lost connection may have delivered the email depends on whether its end was read.
 */
export class SmtpRelay implements EmailRelay {
  readonly #options: SmtpRelayOptions;
  readonly #timeoutMs: number;
  readonly #answerMs: number;
  readonly #deadlineMs: number;

  constructor(options: SmtpRelayOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 8_000;
    // Servers ask others about the recipient, and look for viruses before they answer to the whole email. After its end, a
    // server that is given up too early has taken it.
    this.#answerMs = options.answerMs ?? 60_000;
    this.#deadlineMs = options.deadlineMs ?? 90_000;
  }

  async send(email: OutgoingEmail, server?: MailServer, signal?: AbortSignal): Promise<TakenEmail> {
    const progress: Progress = { phase: 'connecting', bytes: 0, isOwnServer: server !== undefined };
    const options = server === undefined ? this.#ownRelay() : await this.#serverOf(server);
    const connection = new SMTPConnection({ ...options, ...this.#timeouts() });
    try {
      return await this.#within(connection, email, options, progress, signal);
    } catch (error) {
      // The server's answer says more than the end of the connection, which may be noticed first.
      throw progress.bodyFailure ?? failureOf(progress.answer ?? error, progress);
    } finally {
      connection.close();
    }
  }

  /** @returns the options of nodemailer for the service's own relay. @throws MailUnusable */
  #ownRelay(): ConnectionOptions {
    const { url } = this.#options;
    if (url === undefined) throw new MailUnusable('not_configured');
    return parseConnectionUrl(url) as ConnectionOptions;
  }

  /** Connects to a server of others, to no address that the policy refuses. @throws MailUnusable */
  async #serverOf({ host, port, security, login }: MailServer): Promise<ConnectionOptions> {
    const socket = await this.#connect(host, port);
    return {
      host,
      port,
      connection: socket,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { servername: isIP(host) === 0 ? host : '', rejectUnauthorized: true },
      ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    };
  }

  async #connect(host: string, port: number): Promise<Socket> {
    const { hosts } = this.#options;
    let socket: Socket | undefined;
    try {
      const { hostname } = hosts.target(`https://${host}/`);
      // Node does not call the look-up for IP addresses.
      if (isIP(hostname) !== 0) await hosts.addressesOf(hostname);
      socket = net.connect({
        host: hostname,
        port,
        lookup: hosts.lookup,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: eachAddressMs,
      });
      await once(socket, 'connect', { signal: AbortSignal.timeout(this.#timeoutMs) });
      return socket;
    } catch (error) {
      socket?.destroy();
      if (error instanceof UnusableAddress) throw new MailUnusable(error.problem.code);
      throw failureOf(error, { phase: 'connecting', isOwnServer: true });
    }
  }

  #timeouts(): ConnectionOptions {
    const each = this.#timeoutMs;
    return {
      connectionTimeout: each,
      greetingTimeout: this.#answerMs,
      dnsTimeout: each,
      socketTimeout: this.#answerMs,
      socketCloseTimeout: 1_000,
    };
  }

  async #within(
    connection: SMTPConnection,
    email: OutgoingEmail,
    { auth }: ConnectionOptions & { auth?: object },
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<TakenEmail> {
    let timer: NodeJS.Timeout | undefined;
    let onAbort: () => void = () => undefined;
    const began = performance.now();
    const failed = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      connection.once('end', () => reject(Object.assign(new Error('ended'), { code: 'ECONNECTION' })));
      const giveUp = (code: string) => reject(Object.assign(new Error('given up'), { code }));
      const look = () => {
        // After the end, the time limit of the answer counts.
        if (progress.phase === 'ended') return;
        const leftMs = began + this.#deadlineMs + progress.bytes / bytesPerMs - performance.now();
        if (leftMs <= 0) giveUp('ETIMEDOUT');
        else timer = setTimeout(look, leftMs);
      };
      look();
      onAbort = () => {
        if (progress.phase !== 'ended') giveUp(givenUp);
      };
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
    });
    const settle = (error: unknown, resolve: () => void, reject: (error: unknown) => void) => {
      if (!error) return resolve();
      progress.answer ??= error;
      reject(error);
    };
    const talk = async () => {
      await new Promise<void>((resolve, reject) =>
        connection.connect((error?: Error | null) => settle(error, resolve, reject)),
      );
      if (auth !== undefined) {
        await new Promise<void>((resolve, reject) =>
          connection.login(auth as never, (error) => settle(error, resolve, reject)),
        );
      }
      progress.phase = 'envelope';
      const body = bodyOf(email, progress);
      const { from, to } = email.envelope;
      return new Promise<TakenEmail>((resolve, reject) => {
        connection.send({ from, to: [to] }, body, (error, info) => {
          if (error) return settle(error, () => undefined, reject);
          const { serverMessageId } = info as { serverMessageId?: string };
          resolve(
            serverMessageId === undefined ? {} : { relayMessageId: serverMessageId.replace(/^<|>$/g, '') },
          );
        });
      });
    };
    const talking = talk();
    // The one that loses is settled by the end of the connection.
    talking.catch(() => undefined);
    failed.catch(() => undefined);
    try {
      const taken = await Promise.race([talking, failed]);
      connection.quit();
      return taken;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

/** The email as MIME, which notes how much of itself was read. */
function bodyOf(email: OutgoingEmail, progress: Progress): Readable {
  const node = new MailComposer({
    from: email.from,
    to: { name: '', address: email.envelope.to },
    replyTo: { name: '', address: email.replyTo },
    messageId: `<${email.messageId}>`,
    ...(email.inReplyTo === null ? {} : { inReplyTo: `<${email.inReplyTo}>` }),
    references: email.references.map((id) => `<${id}>`),
    date: email.date,
    subject: email.subject,
    text: email.text,
    html: email.html,
    headers: email.headers,
    attachments: email.attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.mimeType,
      contentDisposition: 'attachment',
      content: contentOf(attachment, progress),
    })),
    // Content is given: nothing in it may be treated as a path or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return Readable.from(noted(node.createReadStream(), progress), { objectMode: false });
}

async function* noted(source: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  progress.phase = 'body';
  for await (const chunk of source) {
    progress.bytes += chunk.length;
    yield chunk;
  }
  progress.phase = 'ended';
}

/** The bytes of an attachment, opened when they are read. */
function contentOf(attachment: OutgoingAttachment, progress: Progress): Readable {
  return Readable.from(bytesOf(attachment, progress), { objectMode: false });
}

async function* bytesOf({ open }: OutgoingAttachment, progress: Progress): AsyncGenerator<Buffer> {
  try {
    yield* (await open()) as AsyncIterable<Buffer>;
  } catch (error) {
    // Without its end, the server delivers nothing of the email.
    progress.bodyFailure = error instanceof ProviderFailure ? error : new MailBusy('body_lost');
    // Another error: nodemailer changes the code of what it gets.
    throw new Error('the body was lost');
  }
}
