import { heartbeat } from '@temporalio/activity';
import { type ErasureRef, erasePerson } from '../../domain/person-data/erase-person.js';
import type { ErasureStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { beginSlice } from '../kernel/slice.js';

export function erasureActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    /** Erases what is stored about a member, until nothing is left, the slice is over or the worker stops. */
    async erasePersonData(input: ErasureRef): Promise<ErasureStep> {
      return erasePerson(dependencies, input, {
        isOver: beginSlice(),
        onBatch: () => heartbeat(),
      });
    },
  };
}
