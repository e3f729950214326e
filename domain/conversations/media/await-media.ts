import type { MessageRow, NewMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { messageLimits } from '../../files/attachments/limits.js';
import { startMediaRun } from '../../kernel/runs.js';

/** What is stored of a message that came with media, which are fetched later. @param count as the carrier says */
export function awaitingMedia(count: number, now: Date): Pick<NewMessage, 'files' | 'mediaAwaitedSince'> {
  if (!(count > 0)) return {};
  const files = Array.from(
    { length: Math.min(count, messageLimits.files) },
    () => ({ status: 'awaited' }) as const,
  );
  return { files, mediaAwaitedSince: now };
}

/** Starts the run that fetches the media of a message that was just stored, if it awaits any. */
export async function beginMedia(tx: Tx, message: MessageRow): Promise<void> {
  if (message.mediaAwaitedSince !== null) await startMediaRun(tx, message);
}
