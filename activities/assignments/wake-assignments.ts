import { setTimeout as pause } from 'node:timers/promises';
import { wakeHeldAssignments } from '../../domain/assignments/wake-held-assignments.js';
import { type Waking, wakeWorkspace } from '../../domain/conversations/holds/wake-workspace.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { beginSlice } from '../kernel/slice.js';

/** Between two batches, in which the relay delivers the pokes. */
const pauseMs = 200;

export function wakingActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  const wakeNext = ({ workspaceId, definitionId }: { workspaceId: number; definitionId: number | null }) =>
    definitionId === null
      ? wakeWorkspace(dependencies, workspaceId)
      : wakeHeldAssignments(dependencies, { workspaceId, definitionId });
  return {
    /**
     * Pokes the runs that have met the hold of a definition, or of the workspace, until none is left, the slice is over or the
     * worker stops.
     */
    async wakeAssignments(input: { workspaceId: number; definitionId: number | null }): Promise<Waking> {
      const isOver = beginSlice();
      let woken = 0;
      for (;;) {
        const batch = await wakeNext(input);
        woken += batch.woken;
        if (batch.finished || isOver()) return { ...batch, woken };
        await pause(pauseMs);
      }
    },
  };
}
