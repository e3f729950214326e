import type { SelectTaskRequest, SelectTaskResult } from '../../workflows/contracts/commands.js';
/** How long a caller waits for a run's answer. */
export const answerWithinMs = 10_000;

/**
 * Reference to an assignment's run. Contains everything needed to start the run, so that a command can reach it right
 * after the assignment was created.
 */
export interface AssignmentRunRef {
  workspaceId: number;
  workspaceUuid: string;
  assignmentId: number;
  assignmentUuid: string;
  chatId: number;
  memberId: number;
  definitionName: string;
}

/**
 * The domain's port to runs that have to answer, implemented by the runtime with Temporal updates. Both methods throw
 * `Unavailable` if no answer arrives in time; the request may still take effect later, once.
 */
export interface AssignmentRuns {
  /** @returns undefined if the run is closed: the assignment's row then has the result */
  selectTask(run: AssignmentRunRef, request: SelectTaskRequest): Promise<SelectTaskResult | undefined>;

  cancelAssignment(run: AssignmentRunRef, request: { requestUuid: string }): Promise<void>;
}
