import { isObject, objectWith } from '../support/read-json.js';
import { HttpFailure, type Reply, type Route, type RunningSimulator, serve } from '../support/serve.js';
import { Mailbox, type Mishap } from './mailbox.js';
import { listenForMail } from './smtp-listener.js';

export interface MailSimulatorOptions {
  /** Port of the HTTP API that lists the accepted messages. 0 selects a free port. */
  port: number;
  /** Port of the SMTP server. 0 selects a free port. */
  smtpPort: number;
  host?: string;
}

export interface RunningMailSimulator extends RunningSimulator {
  /** `smtp://…` */
  smtpUrl: string;
}

/** Starts a simulated mail server whose messages can be listed over HTTP; see `tools/simulators/README.md`. */
export async function startMailSimulator(options: MailSimulatorOptions): Promise<RunningMailSimulator> {
  const host = options.host ?? '127.0.0.1';
  const mailbox = new Mailbox();
  const smtp = await listenForMail(mailbox, options.smtpPort, host);
  try {
    const web = await serve(routesOf(mailbox), options.port, host);
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

function routesOf(mailbox: Mailbox): Route[] {
  return [
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'mail' } })],
    [
      'GET',
      '/messages',
      ({ query }) => ({ body: mailbox.after(Number(query.get('after') ?? 0), query.get('to')) }),
    ],
    [
      'DELETE',
      '/messages',
      () => {
        mailbox.clear();
        return { status: 204 };
      },
    ],
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
  mailbox.plan({ ...mishap, to: mishap.to.toLowerCase() });
  return { status: 204 };
}

function isMishap(value: unknown): value is Mishap {
  if (!isObject(value) || typeof value.to !== 'string') return false;
  const { reply, hangUp } = value;
  return (
    (reply === undefined || (typeof reply === 'number' && reply >= 400 && reply < 600)) &&
    (hangUp === undefined || typeof hangUp === 'boolean')
  );
}
