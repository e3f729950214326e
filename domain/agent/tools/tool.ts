import type { AgentBudgets } from '../../kernel/agent-budgets.js';
import type { FieldError } from '../../lib/errors.js';
import type { Situation } from '../situation.js';

/** A tool's answer to the model, stored as the result of its call. */
export type ToolResult =
  | { ok: true; [key: string]: unknown }
  | { ok: false; error: string; errors?: FieldError[]; [key: string]: unknown };

/** The author of a tool call: the agent in its turn, or a colleague who sends as the assistant. */
export interface Performer {
  by: 'agent' | 'operator';
  /** The author's member id: the assistant's or the colleague's. */
  memberId: number | null;
  inTurn: boolean;
}

export type ToolSituation = Situation & {
  defaultRegion: string;
  performer: Performer;
  budgets: AgentBudgets;
};

/** Runs in the transaction of its tool call; the arguments have been validated against the tool's schema. */
export type Tool = (situation: ToolSituation, input: Record<string, unknown>) => Promise<ToolResult>;
