import {
  findOpenHold,
  lockWorkspaceHold,
  patchWorkspaceHold,
} from '../../../db/definitions/workspace-holds.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeWorkspaceWakingRun } from '../../kernel/runs.js';
import { NotFound } from '../../lib/errors.js';

/**
 * Ends the hold of the workspace: a run wakes what has rested. Changes nothing if the workspace is not held.
 * @throws Forbidden
 */
export async function resumeWorkspace(context: CommandContext): Promise<void> {
  const { actor, clock, db } = context;
  actor.require('workspace:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    // Steps that have seen the hold note it before the run looks for their notes.
    await lockWorkspaceHold(tx);
    const hold = await findOpenHold(tx);
    if (hold === undefined) return;
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    if (workspace === undefined) throw new NotFound('Workspace');
    await patchWorkspaceHold(tx, hold.id, { endedAt: clock.now(), endedByMemberId: actor.memberId });
    await pokeWorkspaceWakingRun(tx, workspace.uuid);
    recordAudit(tx, context, 'workspace:resumed');
  });
}
