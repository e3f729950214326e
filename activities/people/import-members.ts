import { rm } from 'node:fs/promises';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { objectKey } from '../../domain/files/object-store.js';
import {
  beginImportAttempt,
  continueImport,
  failImport,
  type ImportedFile,
  uncountImportAttempt,
} from '../../domain/people/imports/continue-import.js';
import { endImport, type ImportRef } from '../../domain/people/imports/end-import.js';
import { ProviderFailure } from '../../providers/failures.js';
import { StorageMissing } from '../../providers/storage/storage.js';
import type { ImportStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { beginSlice } from '../kernel/slice.js';

const heartbeatMs = 5_000;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'storage'>;

export function importActivities(dependencies: Dependencies, options: { sliceMs?: number } = {}) {
  return {
    /** Imports the next rows of members, until none is left, the slice is over or the worker stops. */
    async importMemberRows(ref: ImportRef): Promise<ImportStep> {
      const begun = await beginImportAttempt(dependencies, ref);
      if ('kind' in begun) return begun;
      const beats = setInterval(() => heartbeat(), heartbeatMs);
      const isOver = beginSlice(options.sliceMs);
      let path: string | undefined;
      try {
        path = await fetchFile(ref, begun);
        if (path === undefined) return await failImport(dependencies, ref, 'file_missing');
        return await continueImport(dependencies, ref, {
          path,
          isOver,
          onBatch: (rows) => heartbeat(rows),
        });
      } catch (error) {
        if (error instanceof ProviderFailure || cancellationSignal().aborted) {
          await uncountImportAttempt(dependencies, ref).catch(() => {});
        }
        throw retryLater(error);
      } finally {
        clearInterval(beats);
        if (path !== undefined) await rm(path, { force: true });
      }
    },

    /** Cancels an import whose run was cancelled by an operator. What is written stays. */
    cancelImport: (ref: ImportRef): Promise<void> => endImport(dependencies, ref, { state: 'cancelled' }),
  };

  /** Receives the file into the spool folder, where a crash leaves it to its collector. Undefined: it is missing. */
  async function fetchFile(
    { workspaceUuid }: ImportRef,
    { objectUuid, bytes }: ImportedFile,
  ): Promise<string | undefined> {
    const { storage } = dependencies;
    try {
      const stored = await storage.get(objectKey(workspaceUuid, objectUuid));
      return (await storage.receive(stored, { maxBytes: bytes })).path;
    } catch (error) {
      if (error instanceof StorageMissing) return undefined;
      throw error;
    }
  }
}
