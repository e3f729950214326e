import { setTimeout as pause } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { wakeHeldAssignments } from '../../domain/assignments/wake-held-assignments.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** The time after which it returns, so that workspaces take turns in the task queue. */
const sliceMs = 15_000;
/** Between two batches, in which the relay delivers the pokes. */
const pauseMs = 200;

export function wakingActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    /** Pokes the runs that have met the hold of a definition, until none is left, the slice is over or the worker stops. */
    async wakeAssignments(input: {
      workspaceId: number;
      definitionId: number;
    }): Promise<{ woken: number; finished: boolean }> {
      const endsAt = performance.now() + sliceMs;
      let woken = 0;
      for (;;) {
        const batch = await wakeHeldAssignments(dependencies, input);
        woken += batch.woken;
        const isOver = performance.now() >= endsAt || cancellationSignal().aborted;
        if (batch.finished || isOver) return { woken, finished: batch.finished };
        await pause(pauseMs);
      }
    },
  };
}
