import { endMemberImport, type MemberImportFailure } from '../../../db/people/member-imports.js';
import type { Tx } from '../../../db/tx.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';

export interface ImportRef {
  workspaceId: number;
  workspaceUuid: string;
  importId: number;
}

/** Ends an import that the service has completed or given up, or an operator has cancelled. One that has ended stays as it is. */
export async function endImport(
  { db, clock }: ServiceContext,
  { workspaceId, importId }: ImportRef,
  ended: { state: 'completed' | 'cancelled' } | { state: 'failed'; failureReason: MemberImportFailure },
): Promise<void> {
  await db.inWorkspace(workspaceId, (tx) => endImportIn(tx, importId, ended, clock.now()));
}

async function endImportIn(
  tx: Tx,
  id: number,
  ended: Parameters<typeof endImport>[2],
  now: Date,
): Promise<void> {
  if (!(await endMemberImport(tx, id, ended, now))) return;
  const how = ended.state === 'failed' ? ended.failureReason : ended.state;
  recordAuditOfNobody(tx, { now }, 'member_import:ended', { subject: ['member_import', id], names: [how] });
  // Who asked sees why; what is wrong with the storage or with the service is for operators.
  if (how === 'file_missing' || how === 'crashed' || how === 'expired') {
    reportOccurrence(tx, { kind: 'import_failed', reason: how });
  }
}
