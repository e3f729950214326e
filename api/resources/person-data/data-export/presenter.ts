import type { Static } from 'typebox';
import type { ExportView } from '../../../../domain/person-data/exports/read-export.js';
import type { DataExportResponse } from './schemas.js';

export function presentExport(found: ExportView, downloadUrl: string): Static<typeof DataExportResponse> {
  const { uuid, memberId, requestedByMemberId, includesInternal, state, failureReason, bytes } = found;
  const { rowCount, fileCount, leftOutCount, createdAt, finishedAt, expiresAt } = found;
  return {
    uuid,
    memberId,
    requestedByMemberId,
    includesInternal,
    state,
    failureReason,
    rows: rowCount,
    files: fileCount,
    leftOut: leftOutCount,
    bytes,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    downloadUrl: state === 'ready' ? downloadUrl : null,
  };
}
