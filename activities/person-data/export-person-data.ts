import { rm } from 'node:fs/promises';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { objectKey } from '../../domain/files/object-store.js';
import {
  archiveType,
  beginExport,
  type ExportAttempt,
  type ExportRef,
  failExport,
  finishExport,
  isArchiveKept,
  reserveArchive,
  uncountAttempt,
} from '../../domain/person-data/exports/build-export.js';
import { exportLimits } from '../../domain/person-data/exports/limits.js';
import { ProviderFailure, ProviderRefused } from '../../providers/failures.js';
import { type Spooled, StorageTooLarge } from '../../providers/storage/storage.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { ArchiveTooLarge, fillArchive } from './fill-archive.js';
import { ZipArchive } from './zip-archive.js';

const heartbeatMs = 5_000;

export interface ExportedPerson {
  /** `gone`: the export has ended before, or another attempt has taken its place. */
  outcome: 'ready' | 'too_large' | 'gone';
  rows: number;
  files: number;
  bytes: number;
}

const nothing = { rows: 0, files: 0, bytes: 0 };

export function exportActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'storage'>) {
  const { db, storage } = dependencies;
  return {
    /** Builds the archive of an export, from the beginning, and stores it. */
    async exportPersonData(input: ExportRef & { workspaceUuid: string }): Promise<ExportedPerson> {
      const attempt = await beginExport(dependencies, input);
      if (attempt === undefined) return { outcome: 'gone', ...nothing };
      const beats = setInterval(() => heartbeat(), heartbeatMs);
      try {
        return await build(input, attempt);
      } catch (error) {
        if (error instanceof ArchiveTooLarge || error instanceof StorageTooLarge) {
          await failExport(dependencies, input, 'too_large');
          return { outcome: 'too_large', ...nothing };
        }
        // What is refused once is refused again, so that it ends after some attempts.
        const isOfProvider = error instanceof ProviderFailure && !(error instanceof ProviderRefused);
        if (isOfProvider || cancellationSignal().aborted)
          await uncountAttempt(dependencies, input).catch(() => {});
        throw retryLater(error);
      } finally {
        clearInterval(beats);
      }
    },
  };

  async function build(
    input: ExportRef & { workspaceUuid: string },
    attempt: ExportAttempt,
  ): Promise<ExportedPerson> {
    const { spooled, counts } = await spool(input, attempt);
    try {
      const { bytes } = spooled;
      const reserved = await reserveArchive(dependencies, input, spooled);
      if (reserved === undefined) return { outcome: 'gone', ...nothing };
      const { objectId } = reserved;
      const key = objectKey(input.workspaceUuid, reserved.objectUuid);
      await storage.put(key, spooled, { mimeType: archiveType });
      if (!(await finishExport(dependencies, input, { objectId, counts }))) {
        // An erasure may have doomed the object, and the collector forgotten it, before its bytes were there.
        if (!(await isArchiveKept(dependencies, input, objectId))) await storage.delete(key);
        return { outcome: 'gone', ...nothing };
      }
      return { outcome: 'ready', rows: counts.rowCount, files: counts.fileCount, bytes };
    } finally {
      await rm(spooled.path, { force: true });
    }
  }

  /** Writes the archive into the spool folder, where a crash leaves it to its collector. */
  async function spool(
    { workspaceId, workspaceUuid }: ExportRef & { workspaceUuid: string },
    attempt: ExportAttempt,
  ) {
    const archive = new ZipArchive(attempt.createdAt);
    const signal = cancellationSignal();
    const stop = () => archive.abort(new Error('the worker stops'));
    signal.addEventListener('abort', stop, { once: true });
    let first: unknown;
    const note = (error: unknown): never => {
      first ??= error;
      archive.abort(error instanceof Error ? error : new Error('the archive cannot be written'));
      throw error;
    };
    try {
      const filling = fillArchive(archive, {
        attempt,
        workspaceUuid,
        storage,
        read: (work) => db.readInWorkspace(workspaceId, work),
      }).then((counts) => {
        archive.end();
        return counts;
      }, note);
      const receiving: Promise<Spooled> = storage
        .receive(archive.bytes, { maxBytes: exportLimits.archiveBytes })
        .catch(note);
      const [filled, received] = await Promise.allSettled([filling, receiving]);
      if (filled.status === 'fulfilled' && received.status === 'fulfilled') {
        return { spooled: received.value, counts: filled.value };
      }
      if (received.status === 'fulfilled') await rm(received.value.path, { force: true });
      throw first;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
