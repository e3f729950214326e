import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type Attachment, type ParsedMail, simpleParser } from 'mailparser';
import type { MailAttachment, MailContent } from '../../../domain/channels/email/inbound/mail-content.js';
import { plainTextOf } from './html-text.js';
import { maxAttachments, partPath } from './lines.js';

/**
 * Reads a mail, and writes its attachments into files, whose paths begin alike and end with their place in the result.
 * @returns undefined for one that cannot be read, now or later
 */
export async function readContent(path: string, partsPath: string): Promise<MailContent | undefined> {
  try {
    const parsed = await simpleParser(createReadStream(path), {
      // Texts are made of HTML here, with limits, and images stay out of it.
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipImageLinks: true,
      // Otherwise the status of a report would be part of the text.
      keepDeliveryStatus: true,
    });
    return await contentOf(parsed, partsPath);
  } catch (error) {
    // Errors of the file system are the machine's, and all others the mail's.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    return undefined;
  }
}

const maxSubjectLength = 200;
/** As much as a model is given of one message. */
const maxTextLength = 65_536;
const maxReportBytes = 65_536;

const reportTypes = new Set([
  'message/delivery-status',
  'message/feedback-report',
  'message/rfc822',
  'text/rfc822-headers',
  // Of reports about addresses that are not ASCII (RFC 6533).
  'message/global-delivery-status',
  'message/global-headers',
  'message/global',
]);

/** Without what the database does not take. */
function clean(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');
}

function onOneLine(text: string): string {
  const line = clean(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...line.slice(0, 2 * maxSubjectLength)].slice(0, maxSubjectLength).join('');
}

async function contentOf(parsed: ParsedMail, partsPath: string): Promise<MailContent> {
  const text = textOf(parsed);
  const isReport = isReportType(parsed);
  const attachments: MailAttachment[] = [];
  for (const part of parsed.attachments.slice(0, maxAttachments)) {
    if (isReport && reportTypes.has(part.contentType)) continue;
    const path = partPath(partsPath, attachments.length);
    await writeFile(path, part.content, { flag: 'wx', mode: 0o600 });
    attachments.push({
      filename: part.filename === undefined ? null : clean(part.filename),
      mimeType: clean(part.contentType),
      bytes: part.content.length,
    });
  }
  return {
    subject: onOneLine(parsed.subject ?? ''),
    text: clean(text.slice(0, maxTextLength)),
    isCut: text.length > maxTextLength || parsed.attachments.length > maxAttachments,
    attachments,
    reportParts: isReport ? parsed.attachments.filter(isOfReport).slice(0, 10).map(beginning) : [],
  };
}

/** Some programs put a sentence in place of the text that says that there is HTML. */
function textOf({ text = '', html }: ParsedMail): string {
  const written = html ? plainTextOf(html) : '';
  return text.trim().length < written.trim().length / 2 ? written : text;
}

function isReportType({ headers }: ParsedMail): boolean {
  const type = headers.get('content-type');
  return (
    typeof type === 'object' && 'value' in type && String(type.value).toLowerCase() === 'multipart/report'
  );
}

function isOfReport({ contentType }: Attachment): boolean {
  return reportTypes.has(contentType);
}

function beginning({ contentType, content }: Attachment) {
  return { type: contentType, content: content.subarray(0, maxReportBytes).toString('base64') };
}
