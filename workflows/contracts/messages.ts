import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** There is something new in the database. Carries nothing: the run reads what it is. */
export const pokeSignal = defineSignal('poke');

export interface SelectTaskRequest {
  /** Minted by the server for each request; asking twice enters once. */
  requestUuid: string;
  assignmentTaskId: number;
  actorMemberId: number;
  /** Whether a colleague asks, and not the member itself. */
  byOperator: boolean;
  /** False: only a task that the current one offers. An earlier version leaves it out and asks for any. */
  anyTask?: boolean;
  /** Epoch milliseconds of the database's clock, after which the caller has given up and nothing is entered. */
  answerBy?: number;
  /** The same by the clock of the api, as an earlier version asks. */
  notAfter?: number;
}

export type SelectTaskResult =
  | { kind: 'entered' }
  | { kind: 'refused'; taskUuid: string; rule: 'not_in_tree' | 'cel_guard' | 'cel_condition' }
  | { kind: 'refused'; taskUuid: string; rule: 'not_offered'; offeredTaskUuids: string[] }
  | { kind: 'not_active' }
  | { kind: 'expired' };

export const selectTaskUpdate = defineUpdate<SelectTaskResult, [SelectTaskRequest]>('selectTask');

export interface CancelRequest {
  /** The row that holds the reason. */
  requestUuid: string;
}

export interface CancelResult {
  status: string;
}

export const cancelUpdate = defineUpdate<CancelResult, [CancelRequest]>('cancel');
