/** What an agent may use before a person has to look. 0: no bound. */
export interface AgentBudgets {
  /** Turns in one chat within an hour; the agent goes on an hour later. */
  turnsPerHour: number;
  /** Turns in one chat on one day (UTC); the agent goes on when a colleague resumes the chat. */
  turnsPerDay: number;
  /** Turns in a row in one chat without a message of a person. */
  unattendedTurns: number;
  chatTokensPerDay: number;
  chatCreditsPerDay: number;
  workspaceTokensPerDay: number;
  workspaceCreditsPerDay: number;
  /** Follow-ups of a chat that have not come due. */
  pendingFollowUps: number;
  /** Follow-ups in a row that came due without a message of a person. */
  unattendedFollowUps: number;
  /** The least time until a follow-up is due, in milliseconds. */
  followUpDelayMs: number;
}

export const defaultAgentBudgets: AgentBudgets = {
  turnsPerHour: 120,
  turnsPerDay: 500,
  unattendedTurns: 20,
  chatTokensPerDay: 5_000_000,
  chatCreditsPerDay: 0,
  workspaceTokensPerDay: 500_000_000,
  workspaceCreditsPerDay: 0,
  pendingFollowUps: 5,
  unattendedFollowUps: 5,
  followUpDelayMs: 5 * 60_000,
};

/** Calls of tools in one answer of a model that are kept; the rest is dropped. */
export const mostToolCallsInAnswer = 16;

/** How often in a row an answer is dropped because the member wrote meanwhile. */
export const mostInterruptions = 3;

/** Whether a bound is set and reached. */
export function isReached(used: number, bound: number): boolean {
  return bound > 0 && used >= bound;
}
