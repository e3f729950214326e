import { insertObject, markObjectStored, reserveBytes } from '../../../db/files/stored-objects.js';
import type { ExportScope } from '../../../db/person-data/exported-rows.js';
import { findAccountOfOnly } from '../../../db/person-data/person-erasures.js';
import {
  dropEarlierArchives,
  type ExportFailure,
  findArchiveBytes,
  lockPersonExport,
  type PersonExportRow,
  patchPersonExport,
} from '../../../db/person-data/person-exports.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { exportLimits } from './limits.js';

export interface ExportRef {
  workspaceId: number;
  exportId: number;
}

/** What an attempt needs to know. */
export interface ExportAttempt extends ExportScope {
  createdAt: Date;
}

/** The numbers of an archive. */
export type ArchiveCounts = Pick<PersonExportRow, 'rowCount' | 'fileCount' | 'leftOutCount'>;

export const archiveType = 'application/zip';

const dayMs = 24 * 3_600_000;

/** Changes an export that is not finished. Undefined: it is finished, erased or gone. */
function whileOpen<Result>(
  { db }: ServiceContext,
  { workspaceId, exportId }: ExportRef,
  change: (tx: Tx, found: PersonExportRow) => Promise<Result>,
): Promise<Result | undefined> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const found = await lockPersonExport(tx, exportId);
    return found === undefined || found.finishedAt !== null ? undefined : change(tx, found);
  });
}

/**
 * Counts an attempt before it begins, because it may end with the whole process. Undefined: there is nothing to do, also
 * because this has been tried too often.
 */
export async function beginExport(
  context: ServiceContext,
  ref: ExportRef,
): Promise<ExportAttempt | undefined> {
  return whileOpen(context, ref, async (tx, { memberId, attempts, includesInternal, createdAt }) => {
    if (attempts >= exportLimits.attempts) {
      await close(tx, ref.exportId, 'failed', context.clock.now());
      return undefined;
    }
    await patchPersonExport(tx, ref.exportId, { attempts: attempts + 1 });
    const accountId = await findAccountOfOnly(tx, memberId);
    return { person: { workspaceId: tx.workspaceId, memberId, accountId }, includesInternal, createdAt };
  });
}

/** Takes back an attempt that something else ended: a stopping worker, the storage, the database. */
export async function uncountAttempt(context: ServiceContext, ref: ExportRef): Promise<void> {
  await whileOpen(context, ref, (tx, { attempts }) =>
    patchPersonExport(tx, ref.exportId, { attempts: Math.max(0, attempts - 1) }),
  );
}

/** Ends an export without an archive. */
export async function failExport(
  context: ServiceContext,
  ref: ExportRef,
  reason: ExportFailure,
): Promise<void> {
  await whileOpen(context, ref, (tx) => close(tx, ref.exportId, reason, context.clock.now()));
}

/** Reports to operators, because no chat can alert a colleague: the caller only sees a state. */
async function close(tx: Tx, id: number, reason: ExportFailure, now: Date): Promise<void> {
  await patchPersonExport(tx, id, { objectId: null, failureReason: reason, finishedAt: now });
  reportOccurrence(tx, { kind: 'export_failed', reason });
}

/**
 * Stores that the archive is about to be put into the storage. The object of an earlier attempt is doomed by that.
 * Archives count among the bytes of the workspace, and are made beyond its quota as well: a person has a right to them.
 * @returns undefined: the export has ended
 */
export async function reserveArchive(
  context: ServiceContext,
  ref: ExportRef,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<{ objectId: number; objectUuid: string } | undefined> {
  return whileOpen(context, ref, async (tx) => {
    await reserveBytes(tx, bytes, Number.MAX_SAFE_INTEGER);
    const { id, uuid } = await insertObject(
      tx,
      { bytes, sha256: Buffer.from(sha256, 'hex'), mimeType: archiveType, createdByMemberId: null },
      context.clock.now(),
    );
    await patchPersonExport(tx, ref.exportId, { objectId: id });
    return { objectId: id, objectUuid: uuid };
  });
}

/**
 * Ends an export whose archive is in the storage. Archives before it are given up.
 * @returns false: the export has ended, or another attempt has taken its place
 */
export async function finishExport(
  context: ServiceContext,
  ref: ExportRef,
  { objectId, counts }: { objectId: number; counts: ArchiveCounts },
): Promise<boolean> {
  const now = context.clock.now();
  const isDone = await whileOpen(context, ref, async (tx, found) => {
    const expiresAt = new Date(now.getTime() + found.keptDays * dayMs);
    if (found.objectId !== objectId) return false;
    if ((await markObjectStored(tx, objectId, now, expiresAt)) === undefined) return false;
    await patchPersonExport(tx, ref.exportId, { ...counts, finishedAt: now, expiresAt });
    await dropEarlierArchives(tx, found);
    return true;
  });
  return isDone === true;
}

/** Whether the object is an archive that is kept: not one that was doomed while its bytes were put into the storage. */
export async function isArchiveKept(
  { db }: ServiceContext,
  { workspaceId }: ExportRef,
  objectId: number,
): Promise<boolean> {
  return db.readInWorkspace(workspaceId, async (tx) => (await findArchiveBytes(tx, objectId)) !== undefined);
}
