import { randomInt } from 'node:crypto';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { clinicInbox } from '../seed/inboxes.js';
import { type ApiClient, adminClient, DemoError } from './api-client.js';
import { askSimulator } from './ask-simulator.js';
import type { Assignment } from './assignment.js';
import { awaitFiles, findWorkflow, printRun } from './begin-walk.js';
import { type CarriedMessage, CorrespondenceWalk, type Correspondent } from './correspondence-walk.js';
import { checkUntil } from './look-until.js';
import { printResult } from './print-result.js';
import { printHeading, printLine } from './transcript.js';

/** The name of the simulated receiving server in Authentication-Results. */
const receivingServer = 'mx.clinic-mail.example';
const subject = 'First visit';

/**
 * Takes a new member through the clinic's intake by email: it writes first, and each answer is a reply to what came.
 * @returns the final status of the assignment
 */
export async function runEmailDemo(dev: DevFile): Promise<string> {
  if (dev.mailSimulator === null) {
    throw new DemoError('The email demo needs the mail simulator, but a real mail server is configured.');
  }
  const admin = adminClient(dev);
  await awaitFiles(admin);
  await openInbox(dev, dev.mailSimulator, admin);
  const member = new Mailbox(dev.mailSimulator, `robin-${randomInt(100_000, 1_000_000)}@patients.example`);
  printHeading(`${intakeName}: a new member goes through it by email`);
  const hello = 'Hello, I would like to come to the clinic.';
  printLine(`member  ←  ${hello}`);
  await member.write({ to: clinicInbox, subject, text: hello });
  const { assignmentId } = await chatOf(admin, member.address);
  const read = () => admin<Assignment>('GET', `/assignments/${assignmentId}`);
  printRun(dev, await read());
  const ended = await new CorrespondenceWalk(member, admin, read).toItsEnd();
  await printResult(dev, admin, ended);
  return ended.status;
}

/** Has the clinic's inbox begin the intake, and the simulated mail server hand in what it receives for it. */
async function openInbox(dev: DevFile, simulator: string, admin: ApiClient): Promise<void> {
  const workflow = await findWorkflow(admin, intakeName);
  const { items } = await admin<{ items: { id: number; uuid: string; address: string }[] }>(
    'GET',
    '/inboxes',
  );
  const inbox = items.find(({ address }) => address === clinicInbox);
  if (inbox === undefined) throw new DemoError('The demo workspace has no inbox. Start it with --fresh.');
  await admin('PUT', `/inboxes/${inbox.id}`, { workflowId: workflow.id, authservId: receivingServer });
  const { inboundSecret: secret } = await admin<{ inboundSecret: string }>(
    'POST',
    `/inboxes/${inbox.id}/rotate-secret`,
  );
  const url = `${dev.baseUrl}/api/v2/inboxes/${inbox.uuid}/inbound`;
  const mailbox = { address: clinicInbox, url, secret, authservId: receivingServer };
  await askSimulator('PUT', `${simulator}/mailboxes`, mailbox);
}

/** Waits until the mail of a sender has begun a chat. */
async function chatOf(admin: ApiClient, address: string): Promise<{ assignmentId: number }> {
  const found = await checkUntil(60_000, async () => {
    const { items } = await admin<{ items: { from: string | null; chatId: number | null }[] }>(
      'GET',
      '/inbound-emails',
    );
    return items.find(({ from, chatId }) => from === address && chatId !== null);
  });
  if (found !== undefined) return admin('GET', `/chats/${found.chatId}`);
  throw new DemoError('The email has not begun a chat. `GET W/inbound-emails` says what became of it.');
}

interface CaughtMail {
  sequence: number;
  receivedAt: string;
  subject: string;
  text: string;
  headers: Record<string, string>;
}

class Mailbox implements Correspondent {
  readonly settledStatus = 'received';
  readonly #mails = new Map<number, CaughtMail>();

  constructor(
    readonly simulator: string,
    readonly address: string,
  ) {}

  async messages(): Promise<CarriedMessage[]> {
    const to = encodeURIComponent(this.address);
    const mails = await askSimulator<CaughtMail[]>('GET', `${this.simulator}/messages?to=${to}`);
    for (const mail of mails) this.#mails.set(mail.sequence, mail);
    return mails.map(({ sequence, text, receivedAt, headers }) => ({
      sequence,
      from: headers.from ?? '',
      body: withoutSignature(text),
      status: this.settledStatus,
      createdAt: receivedAt,
    }));
  }

  /** Replies as mail programs do: to Reply-To, with the id of the mail and what it quotes. */
  async answer(body: string, { sequence }: CarriedMessage): Promise<void> {
    const mail = this.#mails.get(sequence);
    const id = mail?.headers['message-id'];
    const quoted = (mail?.text ?? '').split('\n').map((line) => `> ${line}`);
    await this.write({
      to: mail?.headers['reply-to'] ?? clinicInbox,
      subject: `Re: ${subject}`,
      text: [body, '', `On ${mail?.receivedAt}, Demo Clinic <${clinicInbox}> wrote:`, ...quoted].join('\n'),
      ...(id === undefined
        ? {}
        : { inReplyTo: id, references: `${mail?.headers.references ?? ''} ${id}`.trim() }),
    });
  }

  async write(mail: { to: string; subject: string; text: string; inReplyTo?: string; references?: string }) {
    const { statuses } = await askSimulator<{ statuses: number[] }>('POST', `${this.simulator}/mails`, {
      from: `Robin Sample <${this.address}>`,
      ...mail,
    });
    if (statuses[0] !== 202) throw new DemoError(`The mail was answered with ${statuses[0]}.`);
  }
}

function withoutSignature(text: string): string {
  return (text.split(/\n-- ?\n/, 1)[0] ?? '').replace(/\s+/g, ' ').trim();
}
