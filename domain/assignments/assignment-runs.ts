/** How long a caller waits for a run's answer. */
export const answerWithinMs = 10_000;

/** An assignment's run: what starting it would take, so that a command can reach it in the instant after creation. */
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
  | { kind: 'not_active' }
  | { kind: 'expired' };

export interface SelectionRequest {
  /** Asking twice with the same one enters once. */
  requestUuid: string;
  assignmentTaskId: number;
  actorMemberId: number;
  byOperator: boolean;
  /** Epoch milliseconds; after it nobody waits any more, and nothing is entered. */
  notAfter: number;
}

/**
 * The domain's port to runs that have to answer. Implemented by the runtime over Temporal updates.
 *
 * Both throw `Unavailable` when no answer comes in time; the request may then still take effect, once.
 */
export interface AssignmentRuns {
  selectTask(run: AssignmentRunRef, request: SelectionRequest): Promise<SelectionAnswer>;

  cancelAssignment(run: AssignmentRunRef, request: { requestUuid: string }): Promise<void>;
}
