import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import { type ChatRow, lockChat, updateChat } from '../../db/conversations/chats.js';
import {
  findToolCallMessage,
  findToolResult,
  insertMessage,
  type MessageRow,
} from '../../db/conversations/messages.js';
import type { Tx } from '../../db/database.js';
import { passOnUnanswered } from '../assignments/machine/conclude.js';
import { currentTask, lockMachine, type Machine, rowOf } from '../assignments/machine/machine.js';
import { parseToolArguments } from '../definitions/tool-definitions/parse-tool-arguments.js';
import { defaultAgentBudgets } from '../kernel/agent-budgets.js';
import { agentMaySpeak } from '../kernel/agent-due.js';
import type { ServiceContext } from '../kernel/context.js';
import { workspaceRegion } from '../kernel/workspace-region.js';
import { InvalidInput } from '../lib/errors.js';
import { readSituation } from './situation.js';
import { type Performer, type ToolResult, tools } from './tools.js';

export interface ToolCallRef {
  workspaceId: number;
  chatId: number;
  toolCallId: string;
}

/**
 * Runs one tool call exactly once: its effects and its result are one transaction, unique by the call's id. A refusal is
 * a result for the model, not an error. @returns whether the turn ends: the chat is paused or gone, the assignment has
 * ended, or it has moved to an incomplete task in which the agent does not speak
 */
export async function runTool(context: ServiceContext, ref: ToolCallRef): Promise<{ endsTurn: boolean }> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const chat = await lockChat(tx, ref.chatId);
    const message = await findToolCallMessage(tx, ref.chatId, ref.toolCallId);
    if (chat === undefined || message === undefined) return { endsTurn: true };
    const assignment = await findAssignmentOfChat(tx, chat.id);
    const machine = assignment?.status === 'active' ? await lockMachine(tx, assignment.id, now) : undefined;

    if ((await findToolResult(tx, chat.id, ref.toolCallId)) === undefined) {
      const result: ToolResult = isOvertaken(chat, machine, message)
        ? { ok: false, error: 'overtaken' }
        : await runAsAgent(context, tx, { chat: machine?.chat ?? chat, machine, message, ref, now });
      await insertMessage(tx, {
        chatId: chat.id,
        role: 'tool',
        toolCallId: ref.toolCallId,
        subConversationOf: ref.toolCallId,
        content: JSON.stringify(result),
      });
    }
    return await settleTurn(tx, chat.id, machine, message);
  });
}

function isOvertaken(chat: ChatRow, machine: Machine | undefined, message: MessageRow): boolean {
  if (!agentMaySpeak(chat)) return true;
  if (message.taskId === null) return false;
  return machine === undefined || currentTask(machine).id !== message.taskId;
}

async function runAsAgent(
  context: ServiceContext,
  tx: Tx,
  turn: { chat: ChatRow; machine: Machine | undefined; message: MessageRow; ref: ToolCallRef; now: Date },
): Promise<ToolResult> {
  const { chat, machine, message, ref, now } = turn;
  const call = message.toolCalls.find((candidate) => candidate.id === ref.toolCallId);
  if (call === undefined) return { ok: false, error: 'tool_not_available' };
  const performer: Performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true };
  return executeCall(context, tx, { chat, machine, performer, now }, call.function);
}

/** Runs one of the tools that the chat offers now. The caller holds the row locks of the chat and of the assignment. */
export async function executeCall(
  context: ServiceContext,
  tx: Tx,
  place: { chat: ChatRow; machine: Machine | undefined; performer: Performer; now: Date },
  call: { name: string; arguments: string },
): Promise<ToolResult> {
  const { chat, machine, performer, now } = place;
  const situation = await readSituation(tx, chat, now, machine);
  const definition = situation.tools.find((tool) => tool.name === call.name);
  if (definition === undefined) return { ok: false, error: 'tool_not_available' };
  const parsed = parseToolArguments(definition, call.arguments);
  if (!parsed.ok) return { ok: false, error: 'invalid_arguments', errors: parsed.errors };
  try {
    const defaultRegion = await workspaceRegion(context, tx);
    const budgets = context.agentBudgets ?? defaultAgentBudgets;
    return await tools[definition.name]({ ...situation, defaultRegion, performer, budgets }, parsed.value);
  } catch (error) {
    // Refused before anything was written, so the model may correct the call.
    if (error instanceof InvalidInput) return { ok: false, error: error.code, errors: error.errors };
    throw error;
  }
}

const agentTaskTypes = new Set(['conversation', 'collect']);

/** Decides whether the turn continues. If it ends, marks the chat's version that it answered as handled. */
async function settleTurn(
  tx: Tx,
  chatId: number,
  machine: Machine | undefined,
  message: MessageRow,
): Promise<{ endsTurn: boolean }> {
  const chat = await lockChat(tx, chatId);
  if (chat === undefined) return { endsTurn: true };
  const task = machine === undefined ? undefined : currentTask(machine);
  const concluded = machine !== undefined && machine.assignment.status !== 'active';
  const movedOn =
    machine !== undefined &&
    task !== undefined &&
    task.id !== message.taskId &&
    !agentTaskTypes.has(task.taskType) &&
    rowOf(machine, task).completedAt === null;
  if (!concluded && !movedOn && !chat.paused) return { endsTurn: false };

  const handledVersion = Math.max(chat.handledVersion, message.turnVersion ?? 0);
  const settled = await updateChat(tx, chat.id, { handledVersion });
  if (machine !== undefined) {
    machine.chat = settled;
    if (concluded) await passOnUnanswered(machine);
  }
  return { endsTurn: true };
}
