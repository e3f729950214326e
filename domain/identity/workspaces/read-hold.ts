import { findOpenHold, type WorkspaceHoldRow } from '../../../db/definitions/workspace-holds.js';
import type { CommandContext } from '../../kernel/context.js';

/** The hold of the workspace; undefined: it is not held. */
export async function getWorkspaceHold({ db, actor }: CommandContext): Promise<WorkspaceHoldRow | undefined> {
  return db.readInWorkspace(actor.workspaceId, findOpenHold);
}
