import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { type ErasureRef, erasePerson } from '../../domain/person-data/erase-person.js';
import type { ErasureStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** The time after which it returns, so that workspaces take turns in the task queue. */
const sliceMs = 15_000;

export function erasureActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    /** Erases what is stored about a member, until nothing is left, the slice is over or the worker stops. */
    async erasePersonData(input: ErasureRef): Promise<ErasureStep> {
      const endsAt = performance.now() + sliceMs;
      return erasePerson(dependencies, input, {
        isOver: () => performance.now() >= endsAt || cancellationSignal().aborted,
        onBatch: () => heartbeat(),
      });
    },
  };
}
