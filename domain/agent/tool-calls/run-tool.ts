import { randomUUID } from 'node:crypto';
import { findToolRequest, patchToolRequest } from '../../../db/agent/tool-requests.js';
import { findToolResult } from '../../../db/conversations/messages.js';
import { findApprovalOfCall } from '../../../db/conversations/tool-approvals.js';
import type { Tx } from '../../../db/tx.js';
import type { ToolOutcome } from '../../../workflows/contracts/steps.js';
import { dropApproval, storeToolResult } from '../../chat-state/approvals.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import type { Performer } from '../performer.js';
import { outcomeUnknown } from '../requests/claim-attempt.js';
import type { ClaimedCall } from '../tools/tool.js';
import type { ToolResult } from '../tools/tool-result.js';
import { optsOut } from '../tools/tools.js';
import { admitCall } from './admit-call.js';
import { type CallAnswer, recordAnswer, resultOf } from './call-answer.js';
import type { CallPlace, ToolCallRef, ToolContext, Waiting } from './call-place.js';
import { type LockedTurn, lockTurn } from './locked-turn.js';
import { noted, recordCall } from './note-call.js';
import { performToolCall } from './perform-tool-call.js';
import { outcomeOf, settleTurn } from './settle-turn.js';

/** A tool call that is done, or is to be made outside of any transaction. */
export type StartedCall = { kind: 'settled'; outcome: ToolOutcome } | ClaimedCall;

/**
 * Runs one tool call exactly once: its effects and its result are one transaction, unique by the call's id. A refusal
 * is a result for the model, not an error. What is outside of the service is claimed, done by `send` and recorded.
 */
export async function runTool(
  context: ToolContext,
  ref: ToolCallRef,
  send: (claimed: ClaimedCall) => Promise<CallAnswer>,
): Promise<ToolOutcome> {
  const begun = await beginToolCall(context, ref, randomUUID());
  if (begun.kind === 'settled') return begun.outcome;
  return recordRequest(context, ref, begun, await send(begun));
}

/**
 * Runs a tool call, or claims its request.
 * @param token identifies the attempt. @returns whether the turn ends: the chat is paused or gone, it is held,
 * the assignment has ended, or it has moved to an incomplete task in which the agent does not speak
 */
export async function beginToolCall(
  context: ToolContext,
  ref: ToolCallRef,
  token: string,
): Promise<StartedCall> {
  const now = context.clock.now();
  const { toolCallId } = ref;
  return context.db.inWorkspace(ref.workspaceId, async (tx): Promise<StartedCall> => {
    const turn = await lockTurn(context, tx, ref, now);
    if (turn === undefined) return { kind: 'settled', outcome: { endsTurn: true } };
    if ((await findToolResult(tx, ref.chatId, toolCallId)) === undefined) {
      const result = await runAsAgent(context, tx, turn, { token, now });
      if ('ok' in result) {
        const told = result.ok ? result : await refusalOf(tx, ref, token, result, now);
        await storeOutcome(tx, ref, told);
      } else if (result.kind === 'claimed') return result;
      // The turn goes on with the decision.
      else return { kind: 'settled', outcome: outcomeOf(turn, true) };
    }
    // A release before approvals may have run the call.
    else if (turn.chat.approvalId !== null) await dropApproval(tx, turn.chat, toolCallId);
    return { kind: 'settled', outcome: await settleTurn(tx, turn, now) };
  });
}

/** Runs the call, if it is admitted. */
async function runAsAgent(
  context: ToolContext,
  tx: Tx,
  turn: LockedTurn,
  { token, now }: { token: string; now: Date },
): Promise<ToolResult | ClaimedCall | Waiting> {
  const { machine, message } = turn;
  const { id: toolCallId, function: call } = turn.call;
  const chat = machine?.chat ?? turn.chat;
  const performer: Performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true };
  const place: CallPlace = { chat, machine, performer, messageId: message.id, now };
  const admitted = optsOut(call.name) ? 'run' : await admitCall(tx, place, turn);
  if (typeof admitted !== 'string') {
    if ('ok' in admitted) await recordCall(place, call.name, admitted.error);
    return admitted;
  }
  const isApproved = admitted === 'approved';
  const turnVersion = message.turnVersion ?? 0;
  const attempt = { chatId: chat.id, toolCallId, token, now, turnVersion, isApproved };
  return noted(tx, place, call.name, () => performToolCall(context, tx, place, call, attempt));
}

/**
 * What the model is told of a call that is refused now. If an earlier attempt has sent its request, the outcome of that is
 * unknown, whatever refuses the call since.
 */
async function refusalOf(
  tx: Tx,
  { chatId, toolCallId }: ToolCallRef,
  token: string,
  result: ToolResult,
  now: Date,
): Promise<ToolResult> {
  const earlier = await findToolRequest(tx, chatId, toolCallId);
  if (earlier === undefined) return result;
  const isOwn = earlier.claimToken === token;
  if (earlier.settledAt === null) {
    await patchToolRequest(tx, earlier.id, { settledAt: now, failureCode: isOwn ? 'not_sent' : 'lost' });
  }
  return isOwn ? result : outcomeUnknown;
}

/** Records what came of a claimed call, unless another attempt has given it up as unknown. */
export async function recordRequest(
  context: ToolContext,
  ref: ToolCallRef,
  claimed: ClaimedCall,
  answer: CallAnswer,
): Promise<ToolOutcome> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const turn = await lockTurn(context, tx, ref, now);
    const claim = await findToolRequest(tx, ref.chatId, ref.toolCallId);
    if (claim?.claimToken === claimed.token && claim.settledAt === null) {
      const statusCode = answer.kind === 'answered' ? answer.status : null;
      const failureCode = 'code' in answer ? answer.code : null;
      await patchToolRequest(tx, claim.id, { settledAt: now, statusCode, failureCode });
      await recordAnswer(tx, claimed, answer, now);
    }
    if (turn === undefined) return { endsTurn: true };
    if ((await findToolResult(tx, ref.chatId, ref.toolCallId)) === undefined) {
      await storeOutcome(tx, ref, resultOf(claimed, answer));
    }
    return settleTurn(tx, turn, now);
  });
}

/**
 * Stores what the model is told of a call. If it was approved and failed, a colleague is alerted, who would take it
 * for done.
 */
async function storeOutcome(tx: Tx, ref: ToolCallRef, result: ToolResult): Promise<void> {
  await storeToolResult(tx, ref, result);
  if (result.ok) return;
  const approval = await findApprovalOfCall(tx, ref.chatId, ref.toolCallId);
  if (approval?.state === 'run') await alertColleague(tx, { id: ref.chatId }, 'approved_call_failed');
}
