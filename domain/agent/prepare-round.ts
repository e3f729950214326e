import { randomUUID } from 'node:crypto';
import { type Channel, type ChatRow, findChat, lockChat } from '../../db/conversations/chats.js';
import {
  findToolCallMessage,
  findTurnMessage,
  type MessageRow,
  selectBoundedHistory,
  type ToolCall,
} from '../../db/conversations/messages.js';
import { findParticipant } from '../../db/conversations/participants.js';
import { isWorkspaceHeld } from '../../db/definitions/workspace-holds.js';
import { isMemberDisabled } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import type { RoundResult } from '../../workflows/contracts/steps.js';
import { dropApproval, openApproval } from '../chat-state/approvals.js';
import { stopForCredits } from '../chat-state/credit-budget.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { usableChatModelConfig } from '../kernel/ai-models/chat-model-config.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import type { ModelsContext } from '../kernel/context.js';
import { isOverBudget } from '../lib/cel.js';
import { describeFiles } from './describe-files.js';
import { estimateTokens, openModelCall } from './model-calls.js';
import { historyBounds, type ModelMessage, toModelHistory } from './model-history.js';
import { outcomesOfOpen } from './open-calls.js';
import { readSituation } from './read-situation.js';
import { systemPrompt } from './system-prompt.js';
import { type AbilityOfOthers, asTold, type ModelTool, type OfferedTool } from './tools/tool.js';
import { isToolName } from './tools/tools.js';

export interface RoundRef {
  workspaceId: number;
  chatId: number;
  /** The assignment whose run performs the turn; absent in a chat without an assignment. */
  assignmentId?: number;
  turnUuid: string;
  round: number;
  /** Whether this is the last round of the turn: the model gets no tools. */
  mustAnswer: boolean;
}

/** A request for the model. */
export interface Asked {
  kind: 'ask';
  /** Identifies the call of the model, so that it is booked once. */
  callId: string;
  /** The chat's version from which the request was built. */
  chatVersion: number;
  /** The id of the newest message in the request; 0 if the chat has none. */
  lastMessageId: number;
  channel: Channel;
  /** The assistant's member id; null if the chat has no assistant. */
  agentMemberId: number | null;
  /** The agent's current task; null outside an assignment. */
  taskId: number | null;
  /** The id of the model in the catalogue. */
  modelId: string;
  modelConfig: Record<string, unknown>;
  messages: ModelMessage[];
  tools: ModelTool[];
  /** The abilities of those that are not of the service, by the names of the tools. */
  abilities: ToolAbilities;
  /** Answers that are shown with the reply, and whether the model may propose them instead. */
  suggestions: string[];
  mayPropose: boolean;
}

/** `no_model`: no chat model is configured. */
export type PreparedRound = { kind: 'settled'; result: RoundResult } | { kind: 'no_model' } | Asked;

/** The model request of a round, or its result if it has already run or needs no answer any more. */
export async function prepareRound(context: ModelsContext, ref: RoundRef): Promise<PreparedRound> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx): Promise<PreparedRound> => {
    const taken = await findTurnMessage(tx, ref.turnUuid, ref.round);
    if (taken !== undefined) return { kind: 'settled', result: resultOf(taken) };

    const chat = await findChat(tx, ref.chatId);
    if (chat === undefined || !agentIsDue(chat)) return nothingToSay;
    if (await isMemberDisabled(tx, chat.memberId)) return nothingToSay;
    const situation = await readSituation(tx, chat, now);
    if (situation.machine?.assignment.id !== ref.assignmentId) return nothingToSay;
    if (situation.machine?.isHeld ?? (await isWorkspaceHeld(tx))) return nothingToSay;
    const approved = await approvedRound(tx, chat, situation.tools);
    // A turn that has no round left for an answer leaves the call to the next one.
    if (approved !== undefined) return ref.mustAnswer ? nothingToSay : { kind: 'settled', result: approved };

    const { assistant } = situation;
    const here = assistant === null ? undefined : await findParticipant(tx, chat.id, assistant.memberId);
    const model = context.models.chooseChatModel([
      here?.chatModelId,
      chat.chatModelId,
      assistant?.chatModelId,
    ]);
    if (model === undefined) return { kind: 'no_model' };

    const content = await systemPrompt(situation, here?.additionalInstructions ?? '');
    if (situation.context !== undefined && isOverBudget(situation.context)) {
      await alertColleague(tx, chat, 'expression_failed', { handledVersion: chat.version });
      return nothingToSay;
    }
    const history = await selectBoundedHistory(tx, chat.id, historyBounds);
    const partsOfFiles = (rows: readonly MessageRow[]) =>
      describeFiles(context.db, tx, rows, { showsImages: model.images });
    const messages: ModelMessage[] = [
      { role: 'system', content },
      ...toModelHistory(history, await partsOfFiles(history), await outcomesOfOpen(tx, chat, history)),
    ];
    const offered = ref.mustAnswer ? [] : situation.tools;
    const tools = offered.map(asTold);
    const callId = randomUUID();
    const { turnUuid } = ref;
    const promptTokens = estimateTokens([messages, tools]);
    const call = { callId, chat, turnUuid, modelId: model.id, promptTokens };
    const spentUntil = await openModelCall(tx, context.models, call, now);
    if (spentUntil !== undefined) {
      // A colleague may have answered while the call waited for the chat's row.
      const current = await lockChat(tx, chat.id);
      if (current !== undefined && agentIsDue(current)) await stopForCredits(tx, current, spentUntil);
      return nothingToSay;
    }
    return {
      kind: 'ask',
      callId,
      chatVersion: chat.version,
      lastMessageId: history.at(-1)?.id ?? 0,
      channel: chat.channel,
      agentMemberId: chat.assistantMemberId,
      taskId: situation.machine === undefined ? null : situation.task.id,
      modelId: model.id,
      modelConfig: usableChatModelConfig(here?.chatModelConfig ?? assistant?.chatModelConfig ?? {}),
      messages,
      tools,
      abilities: abilitiesOf(offered),
      suggestions: situation.suggestions,
      mayPropose: situation.mayPropose,
    };
  });
}

/** The call that a colleague has approved, as the tools of this round. */
async function approvedRound(
  tx: Tx,
  chat: ChatRow,
  offered: readonly OfferedTool[],
): Promise<RoundResult | undefined> {
  const open = await openApproval(tx, chat);
  if (open?.state !== 'approved') return undefined;
  const message = await findToolCallMessage(tx, chat.id, open.toolCallId);
  const call = message?.toolCalls.find(({ id }) => id === open.toolCallId);
  if (call === undefined) {
    // The message was deleted meanwhile.
    const locked = await lockChat(tx, chat.id);
    if (locked !== undefined) await dropApproval(tx, locked, open.toolCallId);
    return undefined;
  }
  return resultOfCalls([call], abilitiesOf(offered));
}

const nothingToSay: PreparedRound = { kind: 'settled', result: { kind: 'nothing_to_say' } };

/**
 * Derives the result of a round from the message that it stored. @param abilities those of the tools that the model was
 * offered, as far as they are known
 */
export function resultOf({ toolCalls }: MessageRow, abilities: ToolAbilities = new Map()): RoundResult {
  return toolCalls.length === 0 ? { kind: 'replied' } : resultOfCalls(toolCalls, abilities);
}

function resultOfCalls(toolCalls: readonly ToolCall[], abilities: ToolAbilities): RoundResult {
  return {
    kind: 'tools',
    toolCallIds: toolCalls.map(({ id }) => id),
    toolNames: toolCalls.map((call) => nameOfTool(call.function.name, abilities)),
  };
}

/**
 * What the run calls a tool. Names that authors and models have made up can be anything, so they are not passed on: requests
 * and remote tools have the name of their ability.
 */
function nameOfTool(given: string, abilities: ToolAbilities): string {
  return isToolName(given) ? given : (abilities.get(given) ?? 'unknown_tool');
}

export type ToolAbilities = ReadonlyMap<string, AbilityOfOthers>;

function abilitiesOf(tools: readonly OfferedTool[]): ToolAbilities {
  return new Map(
    tools.flatMap(({ name, ability }) => (ability === undefined ? [] : [[name, ability] as const])),
  );
}
