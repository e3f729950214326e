import type { Stage } from '../stage/stage.js';

/** Counts rows of the stage's workspace: `from` is what follows `select count(*)`. */
export async function countRows(
  { database, workspace }: Pick<Stage, 'database' | 'workspace'>,
  from: string,
  values: readonly number[] = [],
): Promise<number> {
  return database.readInWorkspace(workspace.workspaceId, async (tx) => {
    const { rows } = await tx.raw(`select count(*) as count ${from}`, values);
    return rows[0].count;
  });
}
