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

export type SelectionAnswer =
  | { kind: 'entered' }
  | { kind: 'refused'; taskUuid: string; rule: 'not_in_tree' | 'cel_guard' | 'cel_condition' }
  | { kind: 'refused'; taskUuid: string; rule: 'not_offered'; offeredTaskUuids: string[] }
  | { kind: 'not_active' }
  | { kind: 'expired' };

export interface SelectionRequest {
  /** Idempotency key: the task is entered once per key. */
  requestUuid: string;
  assignmentTaskId: number;
  actorMemberId: number;
  byOperator: boolean;
  /** False: only a task that the current task offers. Absent in requests of earlier versions, which allow any task. */
  anyTask?: boolean;
  /**
   * Deadline in epoch milliseconds of the database's clock, which all hosts share; after it the caller no longer waits.
   */
  answerBy?: number;
  /** The deadline by the clock of the api process, as earlier versions send it. */
  notAfter?: number;
}

/**
 * The domain's port to runs that have to answer, implemented by the runtime with Temporal updates. Both methods throw
 * `Unavailable` if no answer arrives in time; the request may still take effect later, once.
 */
export interface AssignmentRuns {
  /** @returns undefined if the run is closed: the assignment's row then has the result */
  selectTask(run: AssignmentRunRef, request: SelectionRequest): Promise<SelectionAnswer | undefined>;

  cancelAssignment(run: AssignmentRunRef, request: { requestUuid: string }): Promise<void>;
}
