import { endMemberImport } from '../../../db/people/member-imports.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { getMemberImport } from './follow-import.js';

/**
 * Ends an import that the actor has asked for; one that has ended stays as it is. Rows that are written stay, and a batch
 * that is being written is rolled back. @throws NotFound
 */
export async function cancelMemberImport(context: CommandContext, requestUuid: string): Promise<void> {
  const { db, clock, actor } = context;
  const { id } = await getMemberImport(context, requestUuid);
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await endMemberImport(tx, id, { state: 'cancelled' }, clock.now()))) return;
    const note = { subject: ['member_import', id], names: ['cancelled'] } as const;
    recordAudit(tx, { clock, actor }, 'member_import:ended', note);
  });
}
