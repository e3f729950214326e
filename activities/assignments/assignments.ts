import { advanceAssignment } from '../../domain/assignments/advance-assignment.js';
import { cancelAssignment } from '../../domain/assignments/cancel-assignment.js';
import { type SelectTask, selectTask } from '../../domain/assignments/select-task.js';
import type { CancelResult } from '../../workflows/contracts/commands.js';
import type { AssignmentStep, SelectionStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** Database steps of `runAssignment`: short and idempotent. */
export function assignmentActivities(dependencies: ActivityDependencies) {
  return {
    advanceAssignment: (input: { workspaceId: number; assignmentId: number }): Promise<AssignmentStep> =>
      advanceAssignment(dependencies, input),

    selectTask: (input: SelectTask): Promise<SelectionStep> => selectTask(dependencies, input),

    cancelAssignment: (input: {
      workspaceId: number;
      assignmentId: number;
      requestUuid?: string;
    }): Promise<CancelResult> => cancelAssignment(dependencies, input),
  };
}
