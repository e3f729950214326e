import { findWithOpenRuns } from '../../db/assignments/assignments.js';
import type { ServiceContext } from '../kernel/context.js';

/** A run that is about to learn of the end of its assignment has this time. */
const endsWithinMs = 10 * 60_000;

/**
 * Those of the assignments whose open run has missed their end: they ended some time ago, or their rows are gone
 * (docs/decisions/0009-terminated-and-missing-runs.md).
 */
export async function listLeftRuns(
  { db, clock }: ServiceContext,
  workspaceId: number,
  assignmentUuids: readonly string[],
): Promise<string[]> {
  const endedBefore = new Date(clock.now().getTime() - endsWithinMs);
  const kept = await db.readInWorkspace(workspaceId, (tx) =>
    findWithOpenRuns(tx, assignmentUuids, endedBefore),
  );
  const isKept = new Set(kept.map(({ uuid }) => uuid));
  return assignmentUuids.filter((uuid) => !isKept.has(uuid));
}
