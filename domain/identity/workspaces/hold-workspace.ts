import {
  findOpenHold,
  insertWorkspaceHold,
  lockWorkspaceHold,
  patchWorkspaceHold,
  type WorkspaceHoldRow,
} from '../../../db/definitions/workspace-holds.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeWorkspaceWakingRun } from '../../kernel/runs.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';

export interface HoldWorkspace {
  reason?: string | null;
  /** When it ends by itself; null: only when somebody ends it. */
  until?: Date | null;
}

/** The longest time after which a hold ends by itself. */
export const maxHoldDays = 366;

/**
 * Holds the workspace: agents, assignments, sends and calls rest until the hold ends. Holding a held one changes what is
 * given, and nothing else. @throws Forbidden, InvalidInput
 */
export async function holdWorkspace(
  context: CommandContext,
  input: HoldWorkspace,
): Promise<WorkspaceHoldRow> {
  const { actor, clock, db } = context;
  actor.require('workspace:write');
  const now = clock.now();
  checkUntil(input.until ?? null, now);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await lockWorkspaceHold(tx);
    const open = await findOpenHold(tx);
    const { reason = open?.reason ?? null, until = open?.until ?? null } = input;
    const hold =
      open === undefined
        ? await insertWorkspaceHold(tx, { heldAt: now, reason, until, heldByMemberId: actor.memberId })
        : await patchWorkspaceHold(tx, open.id, { reason, until });
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    if (workspace === undefined) throw new NotFound('Workspace');
    // The run waits for the time, or for another one.
    if (hold.until?.getTime() !== open?.until?.getTime()) await pokeWorkspaceWakingRun(tx, workspace.uuid);
    recordAudit(tx, context, 'workspace:held');
    return hold;
  });
}

function checkUntil(until: Date | null, now: Date): void {
  if (until === null) return;
  if (until <= now) throw InvalidInput.field('/until', 'must be in the future');
  const latest = now.getTime() + maxHoldDays * 24 * 3_600_000;
  if (until.getTime() > latest) {
    throw InvalidInput.field('/until', `must be within ${maxHoldDays} days`);
  }
}
