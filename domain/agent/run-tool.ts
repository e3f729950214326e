import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import { patchEntryReason } from '../../db/assignments/timeline-entries.js';
import { type ChatRow, lockChat, patchChat } from '../../db/conversations/chats.js';
import {
  findToolCallMessage,
  findToolResult,
  insertMessage,
  type MessageRow,
} from '../../db/conversations/messages.js';
import type { Tx } from '../../db/database.js';
import type { ToolOutcome } from '../../workflows/contracts/steps.js';
import { passOnUnanswered } from '../assignments/machine/conclude.js';
import { currentTask, lockMachine, type Machine, rowOf } from '../assignments/machine/machine.js';
import { note } from '../assignments/timeline/note.js';
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
 * Runs one tool call exactly once: its effects and its result are one transaction, unique by the call's id. A refusal
 * is a result for the model, not an error. @returns whether the turn ends: the chat is paused or gone, the workflow is
 * held, the assignment has ended, or it has moved to an incomplete task in which the agent does not speak
 */
export async function runTool(context: ServiceContext, ref: ToolCallRef): Promise<ToolOutcome> {
  const now = context.clock.now();
  const { chatId, toolCallId } = ref;
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    const message = await findToolCallMessage(tx, chatId, toolCallId);
    if (chat === undefined || message === undefined) return { endsTurn: true };
    const assignment = await findAssignmentOfChat(tx, chatId);
    const machine = assignment?.status === 'active' ? await lockMachine(tx, assignment.id, now) : undefined;

    if ((await findToolResult(tx, chatId, toolCallId)) === undefined) {
      const result = await runAsAgent(context, tx, { chat, machine, message, toolCallId, now });
      const content = JSON.stringify(result);
      const ofCall = { toolCallId, subConversationOf: toolCallId };
      await insertMessage(tx, { chatId, role: 'tool', author: 'system', ...ofCall, content });
    }
    const settled = await settleTurn(tx, chatId, machine, message);
    return machine === undefined ? settled : { ...settled, taskName: currentTask(machine).name };
  });
}

function isOvertaken(chat: ChatRow, machine: Machine | undefined, message: MessageRow): boolean {
  if (!agentMaySpeak(chat) || machine?.isHeld === true) return true;
  if (message.taskId === null) return false;
  return machine === undefined || currentTask(machine).id !== message.taskId;
}

async function runAsAgent(
  context: ServiceContext,
  tx: Tx,
  turn: { chat: ChatRow; machine: Machine | undefined; message: MessageRow; toolCallId: string; now: Date },
): Promise<ToolResult> {
  const { machine, message, toolCallId, now } = turn;
  const call = message.toolCalls.find(({ id }) => id === toolCallId);
  if (call === undefined) return { ok: false, error: 'tool_not_available' };
  const chat = machine?.chat ?? turn.chat;
  const performer: Performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true };
  const place = { chat, machine, performer, messageId: message.id, now };
  if (isOvertaken(turn.chat, machine, message)) {
    await noteCall(place, call.function.name, 'overtaken');
    return { ok: false, error: 'overtaken' };
  }
  return executeCall(context, tx, place, call.function);
}

interface CallPlace {
  chat: ChatRow;
  machine: Machine | undefined;
  performer: Performer;
  /** The message with the call. */
  messageId: number;
  now: Date;
}

/**
 * Runs one of the tools that the chat offers now, and notes it in the timeline before what it does. The caller holds the
 * row locks of the chat and of the assignment.
 */
export async function executeCall(
  context: ServiceContext,
  tx: Tx,
  place: CallPlace,
  call: { name: string; arguments: string },
): Promise<ToolResult> {
  const entryId = await noteCall(place, call.name);
  const result = await execute(context, tx, place, call);
  if (!result.ok && entryId !== undefined) await patchEntryReason(tx, entryId, result.error);
  return result;
}

/** @returns the id of the entry; undefined without an active assignment */
async function noteCall(
  { machine, performer, messageId }: CallPlace,
  name: string,
  reason?: string,
): Promise<number | undefined> {
  if (machine === undefined) return undefined;
  const { by, memberId } = performer;
  const [entry] = await note(machine, {
    kind: 'tool',
    assignmentTaskId: machine.assignment.currentTaskId,
    // A model may invent names.
    code: Object.hasOwn(tools, name) ? name : 'unknown',
    reason,
    messageId,
    causedBy: by,
    actorMemberId: by === 'operator' ? memberId : null,
  });
  return entry?.id;
}

async function execute(
  context: ServiceContext,
  tx: Tx,
  { chat, machine, performer, now }: CallPlace,
  call: { name: string; arguments: string },
): Promise<ToolResult> {
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

/** Decides whether the turn continues. If it ends, marks the chat's version that it answered as handled. */
async function settleTurn(tx: Tx, chatId: number, machine: Machine | undefined, message: MessageRow) {
  const chat = await lockChat(tx, chatId);
  if (chat === undefined) return { endsTurn: true };
  const concluded = machine !== undefined && machine.assignment.status !== 'active';
  const movedOn = machine !== undefined && hasMovedOn(machine, message);
  // Of a held workflow, the turn stays due.
  if (!concluded && !movedOn && !chat.paused) return { endsTurn: machine?.isHeld === true };

  const handledVersion = Math.max(chat.handledVersion, message.turnVersion ?? 0);
  const settled = await patchChat(tx, chat.id, { handledVersion });
  if (machine !== undefined) {
    machine.chat = settled;
    if (concluded) await passOnUnanswered(machine);
  }
  return { endsTurn: true };
}

/** Whether the assignment has moved to an incomplete task in which the agent does not speak. */
function hasMovedOn(machine: Machine, { taskId }: MessageRow): boolean {
  const task = currentTask(machine);
  if (task.id === taskId || task.taskType === 'conversation' || task.taskType === 'collect') return false;
  return rowOf(machine, task).completedAt === null;
}
