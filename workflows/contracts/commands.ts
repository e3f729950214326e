export interface SelectTaskRequest {
  /** Created by the API for each request; it makes the update idempotent. */
  requestUuid: string;
  assignmentTaskId: number;
  actorMemberId: number;
  /** The caller is a colleague, not the member. */
  byOperator: boolean;
  /** False: only tasks that the current one offers. Absent (earlier releases): any task. */
  anyTask?: boolean;
  /** Epoch milliseconds by the database's clock; after that the caller has given up, and nothing is entered. */
  answerBy?: number;
  /** The same by the API's clock (earlier releases). */
  notAfter?: number;
}

export type SelectTaskResult =
  | { kind: 'entered' }
  | {
      kind: 'refused';
      taskUuid: string;
      rule: 'not_in_tree' | 'cel_guard' | 'cel_condition';
      /** Why the guard or condition could not be evaluated, with the name of a missing field as the expression has it. */
      failure?: string;
    }
  | { kind: 'refused'; taskUuid: string; rule: 'not_offered'; offeredTaskUuids: string[] }
  | { kind: 'not_active' }
  | { kind: 'held' }
  | { kind: 'expired' };

/** What became of a request to summarize a chat. */
export type SummaryOutcome =
  | 'summarized'
  | 'chat_gone'
  | 'nothing_said'
  /** The messages were deleted while the model read them. */
  | 'chat_changed'
  | 'token_budget'
  | 'too_many'
  | 'no_model'
  | 'failed';

export interface CancelRequest {
  /** The uuid of the row with the reason. */
  requestUuid: string;
}

export interface CancelResult {
  status: string;
}
