import type { SummaryOutcome } from '../../../workflows/contracts/commands.js';
import type { SummaryRunInput } from '../../../workflows/contracts/runs.js';

/** How long a caller waits for a summary. */
export const summaryWithinMs = 60_000;

/** The domain's port to the runs that summarize chats. */
export interface SummaryRuns {
  /** Starts the run of the request, or finds it, and waits for its end. @throws Unavailable */
  summarizeChat(run: SummaryRunInput): Promise<SummaryOutcome>;
}
