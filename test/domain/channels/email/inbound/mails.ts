import { type MailHeader, readHeader } from '../../../../../domain/channels/email/inbound/headers.js';

/** The header of a mail with these lines. */
export function headerOf(...lines: string[]): MailHeader {
  const header = readHeader(Buffer.from(`${lines.join('\r\n')}\r\n\r\nHello\r\n`));
  if (header === undefined) throw new Error('the header does not end');
  return header;
}
