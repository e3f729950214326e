import {
  findInboundEmail,
  findRawMail,
  lockInboundEmail,
  patchInboundEmail,
  type RawMail,
} from '../../../db/channels/inbound-emails.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { InboundRef } from './receive-email.js';

/** A mail at which the process that reads it ends so often is kept as one that cannot be read. */
const maxAttempts = 3;

export type Reading =
  | { kind: 'read'; raw: RawMail }
  /** Reading it has failed as often as it is tried, or its bytes are lost. */
  | { kind: 'unreadable'; raw: RawMail | undefined }
  | { kind: 'settled' };

/** Counts an attempt to read a mail, before it begins: a crash of the whole worker counts as well. */
export async function beginParseAttempt({ db }: ServiceContext, ref: InboundRef): Promise<Reading> {
  return db.inWorkspace(ref.workspaceId, async (tx) => {
    const row = await lockInboundEmail(tx, ref.inboundEmailId);
    if (row?.state !== 'received') return { kind: 'settled' };
    const raw = await findRawMail(tx, row.id);
    if (raw === undefined || row.attempts >= maxAttempts) return { kind: 'unreadable', raw };
    await patchInboundEmail(tx, row.id, { attempts: row.attempts + 1 });
    return { kind: 'read', raw };
  });
}

/** A stopped worker, or a storage that is away, says nothing about the mail. */
export async function releaseParseAttempt({ db }: ServiceContext, ref: InboundRef): Promise<void> {
  await db.inWorkspace(ref.workspaceId, async (tx) => {
    const row = await lockInboundEmail(tx, ref.inboundEmailId);
    if (row?.state !== 'received' || row.attempts === 0) return;
    await patchInboundEmail(tx, row.id, { attempts: row.attempts - 1 });
  });
}

/** What became of a mail that is settled. */
export async function outcomeOf({ db }: ServiceContext, ref: InboundRef) {
  const row = await db.readInWorkspace(ref.workspaceId, (tx) => findInboundEmail(tx, ref.inboundEmailId));
  return { state: row?.state ?? ('gone' as const), reason: row?.reason ?? null };
}
