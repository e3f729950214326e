import type { SummaryOutcome } from '../../../workflows/contracts/commands.js';
import type { SummaryRunInput } from '../../../workflows/contracts/runs.js';

/** How long a caller waits for a summary. */
export const summaryWithinMs = 60_000;

/** How a caller waits for a run. */
export interface Waiting {
  /** Aborted when the caller waits no longer: the run goes on. */
  signal?: AbortSignal | undefined;
  /** Called once the run has begun, so that it ends whether the caller waits or not. */
  begun?: (() => void) | undefined;
}

/** Where the run of a summary is. */
export type SummaryState =
  | { kind: 'running' }
  | { kind: 'cancelled' }
  | { kind: 'ended'; outcome: SummaryOutcome };

/** The domain's port to the runs that summarize chats. */
export interface SummaryRuns {
  /**
   * Starts the run of the request, or finds it, and waits for its end.
   * @throws Unavailable, and the reason of a signal that is aborted
   */
  summarizeChat(run: SummaryRunInput, waiting?: Waiting): Promise<SummaryOutcome>;
  /** Looks at the run of a request, without waiting; undefined if there is none any more. @throws Unavailable */
  findSummary(requestUuid: string): Promise<SummaryState | undefined>;
  /** Asks the run of a request to end. One that is about to end may still store its summary. @throws Unavailable */
  cancelSummary(requestUuid: string): Promise<void>;
}
