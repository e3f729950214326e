import type { MailContent } from '../../domain/channels/email/inbound/mail-content.js';
import { type ApartLimits, readApart } from '../kernel/read-apart.js';
import type { MailLine } from './read-mail/lines.js';

/** A mail of 25 MB takes a second and 250 MB. */
const limits: ApartLimits = {
  lineMs: 60_000,
  wholeMs: 60_000,
  memoryMb: 512,
  outputBytes: 16 * 1024 * 1024,
};

export interface MailReading {
  path: string;
  /** What the paths of attachments begin with (`partPath`). */
  partsPath: string;
  limits?: ApartLimits;
  signal?: AbortSignal | undefined;
}

/** Reads a mail in a process of its own. @returns undefined for one that cannot be read, now or later @throws CrashedApart */
export async function readMail(reading: MailReading): Promise<MailContent | undefined> {
  const lines = readApart<MailLine>({
    program: new URL('./read-mail/main', import.meta.url),
    args: [reading.path, reading.partsPath],
    limits: reading.limits ?? limits,
    signal: reading.signal,
  });
  for await (const line of lines) return 'mail' in line ? line.mail : undefined;
  return undefined;
}
