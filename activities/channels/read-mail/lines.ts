import type { MailContent } from '../../../domain/channels/email/inbound/mail-content.js';

/** What the process writes of a mail: one line. The bytes of attachments are in files. */
export type MailLine = { mail: MailContent } | { refused: true };

export const maxAttachments = 100;

/** Where the bytes of an attachment are. */
export function partPath(partsPath: string, place: number): string {
  return `${partsPath}.${place}`;
}
