/** How much an agent may use before a person has to intervene. 0 means no limit. */
export interface AgentBudgets {
  /** Turns in one chat within an hour; the agent continues an hour later. */
  turnsPerHour: number;
  /** Turns in one chat on one day (UTC); the agent continues when a colleague resumes the chat. */
  turnsPerDay: number;
  /** Consecutive turns in one chat without a message from a person. */
  unattendedTurns: number;
  chatTokensPerDay: number;
  chatCreditsPerDay: number;
  workspaceTokensPerDay: number;
  workspaceCreditsPerDay: number;
  /** Follow-ups of a chat that are not due yet. */
  pendingFollowUps: number;
  /** Consecutive follow-ups that came due without a message from a person. */
  unattendedFollowUps: number;
  /** The minimum time until a follow-up is due, in milliseconds. */
  followUpDelayMs: number;
  /** Requests to web services in one chat within an hour. */
  chatRequestsPerHour: number;
  workspaceRequestsPerHour: number;
  /** Emails beside a chat on another channel within 24 hours. */
  chatEmailsPerDay: number;
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
  chatRequestsPerHour: 60,
  workspaceRequestsPerHour: 5_000,
  chatEmailsPerDay: 10,
};

/** The maximum number of tool calls kept from one answer of a model; the rest is dropped. */
export const maxToolCallsInAnswer = 16;

/** How many consecutive answers are dropped because the member wrote in the meantime. */
export const maxInterruptions = 3;

/** Whether a bound is set and reached. */
export function isReached(used: number, bound: number): boolean {
  return bound > 0 && used >= bound;
}
