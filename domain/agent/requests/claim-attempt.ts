import { randomUUID } from 'node:crypto';
import {
  countToolRequests,
  findToolRequest,
  insertToolRequest,
  patchToolRequest,
  removeOldRequests,
  type ToolRequestRow,
} from '../../../db/agent/tool-requests.js';
import type { Tx } from '../../../db/tx.js';
import { type AgentBudgets, isReached } from '../../kernel/agent-budgets.js';
import type { ToolResult } from '../tools/tool-result.js';

/** An attempt to run a tool call that something outside of the service performs. */
export interface CallAttempt {
  chatId: number;
  toolCallId: string;
  /** Identifies the attempt. */
  token: string;
  now: Date;
}

/** Requests under way in one workspace. Those older than any attempt are not: their process has died. */
const maxOpen = 10;
const maxAttemptMs = 3 * 60_000;
const hourMs = 3_600_000;
const keptMs = 24 * hourMs;
/** How many processes may die over a request that may be repeated. */
const maxAttempts = 3;

export const outcomeUnknown: ToolResult = {
  ok: false,
  error: 'request_outcome_unknown',
  note: 'The request may or may not have been processed. Do not repeat it without asking.',
};

/** What earlier attempts have left. */
export interface EarlierAttempt {
  row: ToolRequestRow | undefined;
  isOwn: boolean;
}

/** @returns undefined if an earlier attempt may have performed the call, and it is not to be repeated */
export async function findEarlier(
  tx: Tx,
  { chatId, toolCallId, token }: CallAttempt,
  isRepeatable: boolean,
): Promise<EarlierAttempt | undefined> {
  const row = await findToolRequest(tx, chatId, toolCallId);
  // The answer to the commit of the own claim may have been lost.
  const isOwn = row?.claimToken === token && row.settledAt === null;
  const mayRepeat = row?.settledAt === null && isRepeatable && row.attempts < maxAttempts;
  return row === undefined || isOwn || mayRepeat ? { row, isOwn } : undefined;
}

/**
 * Claims the single attempt. The caller holds the lock of the chat.
 * @returns its idempotency key; undefined if the chat or the workspace has made as many requests as allowed
 */
export async function takeAttempt(
  tx: Tx,
  { chatId, toolCallId, token, now }: CallAttempt,
  { row, isOwn }: EarlierAttempt,
  budgets: AgentBudgets,
): Promise<string | undefined> {
  if (row === undefined && (await isExceeded(tx, chatId, now, budgets))) return undefined;
  const idempotencyKey = row?.idempotencyKey ?? randomUUID();
  if (row === undefined) {
    await removeOldRequests(tx, new Date(now.getTime() - keptMs), 20);
    await insertToolRequest(tx, { chatId, toolCallId, idempotencyKey, claimToken: token, claimedAt: now });
  } else if (!isOwn) {
    await patchToolRequest(tx, row.id, { claimToken: token, attempts: row.attempts + 1 });
  }
  return idempotencyKey;
}

async function isExceeded(tx: Tx, chatId: number, now: Date, budgets: AgentBudgets): Promise<boolean> {
  const most = {
    ofChat: budgets.chatRequestsPerHour,
    ofWorkspace: budgets.workspaceRequestsPerHour,
    open: maxOpen,
  };
  const since = {
    from: new Date(now.getTime() - hourMs),
    openFrom: new Date(now.getTime() - maxAttemptMs),
  };
  const counted = await countToolRequests(tx, chatId, since, most);
  return (
    isReached(counted.ofChat, most.ofChat) ||
    isReached(counted.ofWorkspace, most.ofWorkspace) ||
    isReached(counted.open, most.open)
  );
}
