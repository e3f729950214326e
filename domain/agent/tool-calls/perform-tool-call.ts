import type { Tx } from '../../../db/tx.js';
import { defaultAgentBudgets } from '../../kernel/agent-budgets.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { InvalidInput } from '../../lib/errors.js';
import { readSituation } from '../read-situation.js';
import type { ClaimedCall } from '../tools/tool.js';
import { notAvailable, type ToolResult } from '../tools/tool-result.js';
import { askFirst } from './admit-call.js';
import type { Attempt, CallPlace, ToolContext, Waiting } from './call-place.js';
import { noted } from './note-call.js';
import { parseToolArguments } from './parse-arguments.js';
import { isForColleagues, requireOwnRight } from './rights-of-colleagues.js';

/** Runs one of the tools that the chat offers now, for a colleague who sends as the assistant. */
export async function executeToolCall(
  context: ToolContext,
  tx: Tx,
  place: CallPlace,
  call: { name: string; arguments: string },
): Promise<ToolResult> {
  return noted(tx, place, call.name, async () => {
    const result = await performToolCall(context, tx, place, call);
    return 'kind' in result ? notAvailable : result;
  });
}

/** @param attempt that of the agent's turn, which alone waits for approval and reaches other services */
export async function performToolCall(
  context: ToolContext,
  tx: Tx,
  place: CallPlace,
  call: { name: string; arguments: string },
  attempt?: Attempt,
): Promise<ToolResult | ClaimedCall | Waiting> {
  const { performer, now, machine } = place;
  const situation = await readSituation(tx, place.chat, now, machine);
  const tool = situation.tools.find(({ name }) => name === call.name);
  if (tool === undefined) return notAvailable;
  const parsed = parseToolArguments(tool, call.arguments);
  if (performer.by === 'operator') {
    if (!isForColleagues(tool)) return notAvailable;
    await requireOwnRight(performer.actor, situation, tool, parsed.ok ? parsed.value : {});
  }
  if (!parsed.ok) return { ok: false, error: 'invalid_arguments', errors: parsed.errors };
  if (tool.requiresApproval && attempt?.isApproved === false) {
    const asked = await askFirst(tx, place, attempt);
    if (asked !== undefined) return asked;
  }
  const { encryption, agentBudgets: budgets = defaultAgentBudgets } = context;
  const defaultRegion = await workspaceRegion(context, tx);
  const performed = { ...situation, machine, performer, defaultRegion, budgets, attempt, encryption };
  try {
    return await tool.perform(performed, parsed.value);
  } catch (error) {
    // Refused before anything was written, so the model may correct the call.
    if (error instanceof InvalidInput) return { ok: false, error: error.code, errors: error.errors };
    throw error;
  }
}
