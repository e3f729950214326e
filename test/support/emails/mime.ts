import { randomUUID } from 'node:crypto';

/** The receiving server that the inboxes of tests trust. */
export const receivingServer = 'mx.inboxes.example';

export interface MimeMail {
  from: string;
  to?: string;
  subject?: string;
  text?: string;
  /** The result of DMARC, or null for a mail without any; a pass of the domain of `from` unless given. */
  dmarc?: string | null;
  messageId?: string;
  /** Further header lines. */
  headers?: readonly string[];
  /** In place of the text: lines from the Content-Type on. */
  body?: readonly string[];
}

/** A mail as a receiving server hands it on. */
export function mimeOf({
  from,
  to = 'desk@inboxes.example',
  subject = 'Appointment',
  text = 'Can I come on Friday?',
  dmarc = `pass header.from=${/@([^>]*)/.exec(from)?.[1]}`,
  messageId = `${randomUUID()}@example.org`,
  headers = [],
  body = ['Content-Type: text/plain; charset=utf-8', '', text],
}: MimeMail): Buffer {
  const lines = [
    ...(dmarc === null ? [] : [`Authentication-Results: ${receivingServer}; dmarc=${dmarc}`]),
    'Received: by mx.inboxes.example; Mon, 02 Nov 2026 09:00:00 +0000',
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${messageId}>`,
    'Date: Mon, 02 Nov 2026 09:00:00 +0000',
    ...headers,
    'MIME-Version: 1.0',
    ...body,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** A part of a mail that is a file. */
export function attachment(name: string, content: Uint8Array | string): string[] {
  return [
    `Content-Type: application/octet-stream; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    Buffer.from(content).toString('base64'),
  ];
}

/** The body of a mail of several parts; each begins with its Content-Type. */
export function multipart(type: string, ...parts: readonly (readonly string[])[]): string[] {
  const boundary = `part-${randomUUID()}`;
  const inner = parts.flatMap((part) => [`--${boundary}`, ...part]);
  return [`Content-Type: multipart/${type}; boundary="${boundary}"`, '', ...inner, `--${boundary}--`];
}

/** A delivery status notification (RFC 3464) about a message of ours. */
export function bounceOf(options: {
  to: string;
  action?: string;
  status: string;
  /** The address that could not be reached. */
  recipient?: string;
  /** Of the message, if its header comes with the report. */
  messageId?: string;
}): Buffer {
  const { to, action = 'failed', status, recipient = 'ana@example.org', messageId } = options;
  const original =
    messageId === undefined
      ? []
      : [['Content-Type: text/rfc822-headers', '', `Message-ID: <${messageId}>`, '']];
  return mimeOf({
    from: 'Mail Delivery System <mailer-daemon@mx.example.org>',
    to,
    subject: 'Undelivered Mail Returned to Sender',
    dmarc: null,
    headers: ['Auto-Submitted: auto-replied', 'Return-Path: <>'],
    body: multipart(
      'report; report-type=delivery-status',
      ['Content-Type: text/plain', '', 'It could not be delivered: user unknown.'],
      [
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.example.org',
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        `Action: ${action}`,
        `Status: ${status}`,
        '',
      ],
      ...original,
    ),
  });
}

/** A feedback report (RFC 5965): the recipient calls a message spam. */
export function complaintOf({ to, messageId }: { to: string; messageId: string }): Buffer {
  return mimeOf({
    from: 'fbl@provider.example',
    to,
    subject: 'Complaint',
    body: multipart(
      'report; report-type=feedback-report',
      ['Content-Type: text/plain', '', 'This is a report of abuse.'],
      [
        'Content-Type: message/feedback-report',
        '',
        'Feedback-Type: abuse',
        'User-Agent: x/1',
        'Version: 1',
        '',
      ],
      ['Content-Type: message/rfc822', '', `Message-ID: <${messageId}>`, 'Subject: x', '', 'Hello'],
    ),
  });
}
