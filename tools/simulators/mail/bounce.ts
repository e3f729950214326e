import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bounce } from './mishaps.js';
import type { ReceivingServer } from './receiving-server.js';

export interface Undelivered {
  /** The sender and the recipient of the envelope. */
  from: string;
  to: string;
  raw: Buffer;
}

const host = 'mx.simulated.example';

/** A delivery status notification (RFC 3464) to the sender of the envelope, as raw MIME. */
export function bounceOf(
  { from, to, raw }: Undelivered,
  { status = '5.1.1', withoutOriginal }: Bounce,
): string {
  const boundary = `report-${randomUUID()}`;
  const action = status.startsWith('4') ? 'delayed' : status.startsWith('2') ? 'delivered' : 'failed';
  const headers = raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  const parts = [
    [
      'Content-Type: text/plain; charset=utf-8',
      '',
      `This is the mail system at ${host}. Your message to ${to}: ${action} (${status}).`,
    ],
    [
      'Content-Type: message/delivery-status',
      '',
      `Reporting-MTA: dns; ${host}`,
      '',
      `Final-Recipient: rfc822; ${to}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${status.startsWith('5') ? 550 : 450} ${status} simulated`,
    ],
    ...(withoutOriginal === true ? [] : [['Content-Type: text/rfc822-headers', '', headers]]),
  ];
  return [
    `From: Mail Delivery System <MAILER-DAEMON@${host}>`,
    `To: ${from}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${randomUUID()}@${host}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part, '']),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

/**
 * Posts the report, later, or hands it in where the envelope's sender receives mail. Resolves with the statuses of the answers.
 */
export async function postBounce(
  undelivered: Undelivered,
  bounce: Bounce,
  receiving: ReceivingServer,
): Promise<number[]> {
  const { url, secret, afterMs = 0, times = 1 } = bounce;
  await delay(afterMs, undefined, { ref: false });
  const body = bounceOf(undelivered, bounce);
  if (url === undefined) {
    const report = { from: '', to: undelivered.from, raw: Buffer.from(body, 'latin1'), dmarc: 'none' };
    const answers: number[] = [];
    for (let count = 0; count < times; count += 1) answers.push((await receiving.receive(report)) ?? 550);
    return answers;
  }
  const headers = {
    'Content-Type': 'message/rfc822',
    ...(secret === undefined ? {} : { 'X-Inbox-Secret': secret }),
  };
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const { status } = await fetch(url, { method: 'POST', headers, body });
    statuses.push(status);
  }
  return statuses;
}
