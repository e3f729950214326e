import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Mailbox } from './mailbox.js';

export interface SmtpListener {
  port: number;
  close(): Promise<void>;
}

const largestBytes = 20 * 1024 * 1024;

/** Accepts every message for every address and delivers none. */
export async function listenForMail(mailbox: Mailbox, port: number, host: string): Promise<SmtpListener> {
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
    close: () => new Promise((resolve) => server.close(() => resolve())),
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
