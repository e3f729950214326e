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
  | { kind: 'refused'; taskUuid: string; rule: 'not_offered'; offeredTaskUuids: string[] }
  | { kind: 'not_active' }
  | { kind: 'expired' };

export interface SelectionRequest {
  /** Asking twice with the same one enters once. */
  requestUuid: string;
  assignmentTaskId: number;
  actorMemberId: number;
  byOperator: boolean;
  /** False: only a task that the current one offers. An earlier version leaves it out and asks for any. */
  anyTask?: boolean;
  /** Epoch milliseconds of the database's clock, which all hosts share; after it the caller has given up. */
  answerBy?: number;
  /** The same by the clock of the api, as an earlier version asks. */
  notAfter?: number;
}

/**
 * The domain's port to runs that have to answer. Implemented by the runtime over Temporal updates.
 *
 * Both throw `Unavailable` when no answer comes in time; the request may then still take effect, once.
 */
export interface AssignmentRuns {
  /** @returns undefined when the run has closed: the row says what became of the assignment */
  selectTask(run: AssignmentRunRef, request: SelectionRequest): Promise<SelectionAnswer | undefined>;

  cancelAssignment(run: AssignmentRunRef, request: { requestUuid: string }): Promise<void>;
}
