import type { AgentBudgets } from '../../kernel/agent-budgets.js';
import type { FieldError } from '../../lib/errors.js';
import type { Situation } from '../situation.js';

/** What a tool tells the model. Stored as the result of its call. */
export type ToolResult =
  | { ok: true; [key: string]: unknown }
  | { ok: false; error: string; errors?: FieldError[]; [key: string]: unknown };

/** Who runs the tool: the agent in its turn, or a colleague who sends as the assistant. */
export interface Performer {
  by: 'agent' | 'operator';
  /** The member that writes: the assistant's or the colleague's. */
  memberId: number | null;
  inTurn: boolean;
}

export type ToolSituation = Situation & {
  defaultRegion: string;
  performer: Performer;
  budgets: AgentBudgets;
};

/** Runs in the transaction of its tool call, with arguments that fit its schema. */
export type Tool = (situation: ToolSituation, input: Record<string, unknown>) => Promise<ToolResult>;
