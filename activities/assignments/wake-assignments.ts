import { setTimeout as pause } from 'node:timers/promises';
import { wakeHeldAssignments } from '../../domain/assignments/wake-held-assignments.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { beginSlice } from '../kernel/slice.js';

/** Between two batches, in which the relay delivers the pokes. */
const pauseMs = 200;

export function wakingActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    /** Pokes the runs that have met the hold of a definition, until none is left, the slice is over or the worker stops. */
    async wakeAssignments(input: {
      workspaceId: number;
      definitionId: number;
    }): Promise<{ woken: number; finished: boolean }> {
      const isOver = beginSlice();
      let woken = 0;
      for (;;) {
        const batch = await wakeHeldAssignments(dependencies, input);
        woken += batch.woken;
        if (batch.finished || isOver()) return { woken, finished: batch.finished };
        await pause(pauseMs);
      }
    },
  };
}
