import { findMemberOrDeleted } from '../../../db/people/members.js';
import {
  findArchive,
  findArchiveBytes,
  findNewestExport,
  type PersonExportRow,
  type StoredArchive,
} from '../../../db/person-data/person-exports.js';
import type { Tx } from '../../../db/tx.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { CommandContext, ServiceContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

export type ExportState = 'building' | 'ready' | 'expired' | 'failed';

export interface ExportView extends PersonExportRow {
  state: ExportState;
  /** Of a ready archive. */
  bytes: number | null;
}

/** An export with its state at a time: an archive expires without a change of its row. */
export async function viewExport(tx: Tx, found: PersonExportRow, now: Date): Promise<ExportView> {
  const { objectId, finishedAt, failureReason, expiresAt } = found;
  if (finishedAt === null) return { ...found, state: 'building', bytes: null };
  if (failureReason !== null) return { ...found, state: 'failed', bytes: null };
  const isKept = objectId !== null && expiresAt !== null && expiresAt > now;
  const bytes = isKept ? await findArchiveBytes(tx, objectId) : undefined;
  return { ...found, state: bytes === undefined ? 'expired' : 'ready', bytes: bytes ?? null };
}

/**
 * The newest export of a member: with the permission, of those that have what members do not see; without it, the
 * caller's own. @throws NotFound, Forbidden
 */
export async function getExport({ db, clock, actor }: CommandContext, memberId: number): Promise<ExportView> {
  const includesInternal = actor.can('person_data:export');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMemberOrDeleted(tx, memberId)) === undefined) throw new NotFound('Member');
    if (actor.sealedAt !== null) actor.require('person_data:export');
    actor.requireSelfOr(memberId, 'person_data:export');
    const found = await findNewestExport(tx, { memberId, includesInternal });
    if (found === undefined) throw new NotFound('Export');
    return viewExport(tx, found, clock.now());
  });
}

/** The archive at a signed address. @throws NotFound also when it has expired or is replaced */
export async function getSignedArchive(
  { db, clock }: ServiceContext,
  workspaceUuid: string,
  named: { memberId: number; exportUuid: string },
): Promise<StoredArchive & { createdAt: Date }> {
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw new NotFound('Workspace');
  const found = await db.readInWorkspace(workspace.id, (tx) => findArchive(tx, named, clock.now()));
  if (found === undefined) throw new NotFound('Export');
  await db.inWorkspace(workspace.id, async (tx) =>
    recordAuditOfNobody(tx, { now: clock.now() }, 'data_export:downloaded', {
      subject: ['member', named.memberId],
    }),
  );
  return found;
}
