import { randomUUID } from 'node:crypto';
import { findToolRequest, patchToolRequest } from '../../../db/agent/tool-requests.js';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { patchEntryReason } from '../../../db/assignments/timeline-entries.js';
import { findOpenCall } from '../../../db/calls/phone-calls.js';
import { type ChatRow, findChat, lockChat, patchChat } from '../../../db/conversations/chats.js';
import {
  findToolCallMessage,
  findToolResult,
  type MessageRow,
  type ToolCall,
} from '../../../db/conversations/messages.js';
import { findApprovalOfCall, findApprovalOfMessage } from '../../../db/conversations/tool-approvals.js';
import { isWorkspaceHeld } from '../../../db/definitions/workspace-holds.js';
import { lockMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { ToolOutcome } from '../../../workflows/contracts/steps.js';
import { passOnUnanswered } from '../../assignments/machine/conclude.js';
import {
  changeChat,
  currentTask,
  lockWalker,
  type Machine,
  rowOf,
  type Walker,
} from '../../assignments/machine/machine.js';
import { note } from '../../assignments/timeline/note.js';
import { mayHearRecords } from '../../calls/identity/caller-identity.js';
import { whyUndeliverable } from '../../channels/deliveries/queue-delivery.js';
import {
  askApproval,
  dropApproval,
  openApproval,
  overtaken,
  startApproved,
} from '../../chat-state/approvals.js';
import { storeToolResult } from '../../chat-state/tool-result.js';
import { remoteToolName } from '../../definitions/mcp-servers/remote-tool-names.js';
import type { HttpRequestConfig, McpToolsConfig } from '../../kernel/ability-configs.js';
import { defaultAgentBudgets } from '../../kernel/agent-budgets.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import { callPerson } from '../../kernel/call-person.js';
import type { OutreachContext } from '../../kernel/context.js';
import type { RemoteAnswer } from '../../kernel/remote-tools.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import type { Encryption } from '../../lib/encryption.js';
import { InvalidInput } from '../../lib/errors.js';
import type { Performer } from '../performer.js';
import { readSituation, type Situation } from '../read-situation.js';
import { type ClaimedRemoteCall, claimRemoteCall } from '../remote-tools/claim-remote-call.js';
import { noteServer } from '../remote-tools/note-server.js';
import { resultOfRemote } from '../remote-tools/remote-answer.js';
import { type CallAttempt, outcomeUnknown } from '../requests/claim-attempt.js';
import { type ClaimedRequest, claimRequest } from '../requests/claim-request.js';
import { noteSecrets } from '../requests/note-secrets.js';
import { type RequestAnswer, resultOfAnswer } from '../requests/request-answer.js';
import { isRemote, isRequest } from '../tools/tool.js';
import type { ToolResult } from '../tools/tool-result.js';
import { tools } from '../tools/tools.js';
import { parseToolArguments } from './parse-arguments.js';
import { isForColleagues, requireOwnRight } from './rights-of-colleagues.js';

export interface ToolCallRef {
  workspaceId: number;
  chatId: number;
  toolCallId: string;
}

/** What tools need beside rows. */
export interface ToolContext extends OutreachContext {
  /** Decrypts the secrets of requests and the tokens of remote servers; absent: none has one. */
  encryption?: Encryption;
}

/** What is to be done outside of any transaction: a request to a web service, or a call of a remote tool. */
export type ClaimedCall = ClaimedRequest | ClaimedRemoteCall;
export type CallAnswer = RequestAnswer | RemoteAnswer;

/** A tool call that is done, or is to be made outside of any transaction. */
export type BegunCall = { kind: 'settled'; outcome: ToolOutcome } | ClaimedCall;

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
): Promise<BegunCall> {
  const now = context.clock.now();
  const { toolCallId } = ref;
  return context.db.inWorkspace(ref.workspaceId, async (tx): Promise<BegunCall> => {
    const turn = await lockTurn(context, tx, ref, now);
    if (turn === undefined) return { kind: 'settled', outcome: { endsTurn: true } };
    if ((await findToolResult(tx, ref.chatId, toolCallId)) === undefined) {
      const result = await runAsAgent(context, tx, { ...turn, toolCallId, token, now });
      if (isResult(result)) {
        const told = result.ok ? result : await refusalOf(tx, ref, token, result, now);
        await storeOutcome(tx, ref, told);
      } else if (result.kind === 'claimed') return result;
      // The turn goes on with the decision.
      else return { kind: 'settled', outcome: outcomeOf(turn, true) };
    }
    // A release before approvals may have run the call.
    else if (turn.chat.approvalId !== null) await dropApproval(tx, turn.chat, toolCallId);
    return { kind: 'settled', outcome: await settleTurn(tx, ref, turn, now) };
  });
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
      if (!isRemoteAnswer(answer)) await noteSecrets(tx, usedSecretsOf(claimed), answer, now);
      else if ('remote' in claimed) await noteServer(tx, claimed, answer, now);
    }
    if (turn === undefined) return { endsTurn: true };
    if ((await findToolResult(tx, ref.chatId, ref.toolCallId)) === undefined) {
      await storeOutcome(tx, ref, resultOf(answer, claimed));
    }
    return settleTurn(tx, ref, turn, now);
  });
}

function isRemoteAnswer(answer: CallAnswer): answer is RemoteAnswer {
  return answer.kind !== 'answered' && answer.kind !== 'failed';
}

function usedSecretsOf(claimed: ClaimedCall) {
  return 'request' in claimed ? claimed.request.usedSecrets : [];
}

/** A simulation answers calls of remote tools as it answers requests. */
const simulatedLimits = { secrets: [], mostBytes: 16_384 };

function resultOf(answer: CallAnswer, claimed: ClaimedCall): ToolResult {
  if (!isRemoteAnswer(answer)) {
    return resultOfAnswer(answer, 'request' in claimed ? claimed.request : simulatedLimits);
  }
  if ('request' in claimed) throw new Error('a request was answered as a call of a remote tool');
  return resultOfRemote(answer, claimed);
}

/**
 * Stores what the model is told of a call. If it was approved and failed, a colleague is alerted, who would take it
 * for done.
 */
async function storeOutcome(tx: Tx, ref: ToolCallRef, result: ToolResult): Promise<void> {
  await storeToolResult(tx, ref, result);
  if (result.ok) return;
  const approval = await findApprovalOfCall(tx, ref.chatId, ref.toolCallId);
  if (approval?.state === 'run') await callPerson(tx, { id: ref.chatId }, 'approved_call_failed');
}

/** The place of a tool call, with its rows locked; undefined if the chat or the message is gone. */
interface LockedTurn {
  chat: ChatRow;
  message: MessageRow;
  /** The active assignment. */
  machine: Walker | undefined;
  /** The workspace, or the workflow of the assignment, is held. */
  isHeld: boolean;
}

async function lockTurn(
  { outreach }: OutreachContext,
  tx: Tx,
  ref: ToolCallRef,
  now: Date,
): Promise<LockedTurn | undefined> {
  const asked = await findToolCallMessage(tx, ref.chatId, ref.toolCallId);
  // The row of a member is locked before that of its chat, wherever both are.
  if (callOf(asked, ref.toolCallId)?.function.name === 'opt_out') {
    const { memberId } = (await findChat(tx, ref.chatId)) ?? {};
    if (memberId !== undefined) await lockMember(tx, memberId);
  }
  const chat = await lockChat(tx, ref.chatId);
  const message = await findToolCallMessage(tx, ref.chatId, ref.toolCallId);
  if (chat === undefined || message === undefined) return undefined;
  const assignment = await findAssignmentOfChat(tx, ref.chatId);
  // A call walks the assignment outside of its run, which waits.
  const ofRun = message.callId === null;
  const isActive = assignment?.status === 'active';
  const machine = isActive ? await lockWalker(tx, assignment.id, { outreach, now, ofRun }) : undefined;
  const isHeld = machine?.isHeld ?? (await isWorkspaceHeld(tx));
  return { chat, message, machine, isHeld };
}

function callOf(message: MessageRow | undefined, toolCallId: string): ToolCall | undefined {
  return message?.toolCalls.find(({ id }) => id === toolCallId);
}

function isOvertaken({ chat, machine, message, isHeld }: LockedTurn): boolean {
  if (!agentMaySpeak(chat) || isHeld) return true;
  if (message.taskId === null) return false;
  return machine === undefined || currentTask(machine).id !== message.taskId;
}

async function runAsAgent(
  context: ToolContext,
  tx: Tx,
  turn: LockedTurn & { toolCallId: string; token: string; now: Date },
): Promise<ToolResult | ClaimedCall | Waiting> {
  const { machine, message, toolCallId, token, now } = turn;
  const call = callOf(message, toolCallId);
  if (call === undefined) return { ok: false, error: 'tool_not_available' };
  const chat = machine?.chat ?? turn.chat;
  const performer: Performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true };
  const place: CallPlace = { chat, machine, performer, messageId: message.id, now };
  // Who has opted out has done so, whatever has happened meanwhile.
  if (call.function.name === 'opt_out') {
    return noted(tx, place, call.function, () => execute(context, tx, place, call.function, undefined));
  }
  if (isOvertaken(turn)) {
    await noteCall(place, call.function.name, 'overtaken');
    await takeChat(place, await dropApproval(tx, chat, toolCallId));
    return { ok: false, error: 'overtaken' };
  }
  const pass = await passOf(tx, place, toolCallId, message.toolCalls.length > 1);
  if (pass === 'waiting') return { kind: 'waiting' };
  if (pass === 'pending') {
    await noteCall(place, call.function.name, 'approval_pending');
    return pending;
  }
  const turnVersion = message.turnVersion ?? 0;
  const attempt = { chatId: chat.id, toolCallId, token, now, turnVersion, isApproved: pass === 'approved' };
  return noted(tx, place, call.function, () => execute(context, tx, place, call.function, attempt));
}

/** The call has no result yet: a colleague has to approve it. */
type Waiting = { kind: 'waiting' };

/**
 * Whether a call may be run, as far as another one or itself waits for approval; an approved one is marked as run. Nothing is
 * run after an earlier call of the same answer that was asked about, because the model has not seen what became of it.
 */
async function passOf(
  tx: Tx,
  place: CallPlace,
  toolCallId: string,
  isOneOfSeveral: boolean,
): Promise<'run' | 'approved' | 'pending' | 'waiting'> {
  if (isOneOfSeveral) {
    const asked = await findApprovalOfMessage(tx, place.chat.id, place.messageId);
    if (asked !== undefined && asked.toolCallId !== toolCallId) return 'pending';
  }
  const open = await openApproval(tx, place.chat);
  if (open?.toolCallId !== toolCallId) return 'run';
  if (open.state === 'waiting') return 'waiting';
  await takeChat(place, await startApproved(tx, place.chat, open));
  return 'approved';
}

async function takeChat(place: CallPlace, chat: ChatRow): Promise<void> {
  place.chat = chat;
  if (place.machine !== undefined) await changeChat(place.machine, async () => chat);
}

/** Lets a call wait that needs approval and has none, unless another one waits. @returns undefined if it may be run */
async function askFirst(
  tx: Tx,
  place: CallPlace,
  { toolCallId, turnVersion, now }: Attempt,
): Promise<ToolResult | Waiting | undefined> {
  const asked = await findApprovalOfCall(tx, place.chat.id, toolCallId);
  // An earlier attempt of this approved call has died after it was marked as run.
  if (asked?.state === 'run') return undefined;
  if (asked !== undefined) return overtaken;
  if ((await openApproval(tx, place.chat)) !== undefined) return pending;
  const { messageId } = place;
  await takeChat(place, await askApproval(tx, place.chat, { messageId, toolCallId, turnVersion }, now));
  return { kind: 'waiting' };
}

const pending: ToolResult = { ok: false, error: 'approval_pending' };

/** The attempt of the agent's turn to run a call. */
type Attempt = CallAttempt & { turnVersion: number; isApproved: boolean };

interface CallPlace {
  chat: ChatRow;
  machine: Walker | undefined;
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
  context: ToolContext,
  tx: Tx,
  place: CallPlace,
  call: { name: string; arguments: string },
): Promise<ToolResult> {
  return noted(tx, place, call, async () => {
    const result = await execute(context, tx, place, call, undefined);
    return 'kind' in result ? notOffered : result;
  });
}

async function noted<Result extends ToolResult | ClaimedCall | Waiting>(
  tx: Tx,
  place: CallPlace,
  { name }: { name: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const entryId = await noteCall(place, name);
  const result = await run();
  const reason = isResult(result) ? (result.ok ? undefined : result.error) : reasons[result.kind];
  if (reason !== undefined && entryId !== undefined) await patchEntryReason(tx, entryId, reason);
  return result;
}

const reasons = { claimed: undefined, waiting: 'approval_pending' } as const;

function isResult(result: ToolResult | ClaimedCall | Waiting): result is ToolResult {
  return 'ok' in result;
}

const notOffered: ToolResult = { ok: false, error: 'tool_not_available' };

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
    code: Object.hasOwn(tools, name) ? name : (abilityOf(machine, name) ?? 'unknown'),
    reason,
    messageId,
    causedBy: by,
    actorMemberId: by === 'operator' ? memberId : null,
  });
  return entry?.id;
}

/** The ability of a task of the revision that has a tool of this name. */
function abilityOf({ tree }: Machine, name: string): string | undefined {
  const declared = [...tree.byId.values()].flatMap(({ abilities }) => abilities);
  return declared.find(({ abilityType, config }) => {
    if (abilityType === 'http_request' && Array.isArray(config.requests)) {
      return (config as unknown as HttpRequestConfig).requests.some((request) => request.name === name);
    }
    if (abilityType !== 'mcp_tools' || !Array.isArray(config.tools)) return false;
    return (config as unknown as McpToolsConfig).tools.some((tool) => remoteToolName(tool) === name);
  })?.abilityType;
}

/** Only the agent reaches other services, in an attempt of its turn: that is done outside of the transaction. */
async function execute(
  context: ToolContext,
  tx: Tx,
  place: CallPlace,
  call: { name: string; arguments: string },
  attempt: Attempt | undefined,
): Promise<ToolResult | ClaimedCall | Waiting> {
  const { performer, now, machine } = place;
  const situation = await readSituation(tx, place.chat, now, machine);
  const definition = situation.tools.find((tool) => tool.name === call.name);
  if (definition === undefined) return notOffered;
  const unproved = refusalOfRecords(situation, performer, definition.name);
  if (unproved !== undefined) return unproved;
  const parsed = parseToolArguments(definition, call.arguments);
  if (performer.by === 'operator') {
    if (!isForColleagues(definition)) return notOffered;
    await requireOwnRight(performer.actor, situation, definition, parsed.ok ? parsed.value : {});
  }
  if (!parsed.ok) return { ok: false, error: 'invalid_arguments', errors: parsed.errors };
  if (definition.requiresApproval === true && attempt?.isApproved === false) {
    const asked = await askFirst(tx, place, attempt);
    if (asked !== undefined) return asked;
  }
  try {
    const defaultRegion = await workspaceRegion(context, tx);
    const budgets = context.agentBudgets ?? defaultAgentBudgets;
    if (isRequest(definition)) {
      if (attempt === undefined) return notOffered;
      return await claimRequest(context.encryption, tx, attempt, definition, parsed.value, budgets);
    }
    if (isRemote(definition)) {
      if (attempt === undefined) return notOffered;
      return await claimRemoteCall(context.encryption, tx, attempt, definition, parsed.value, budgets);
    }
    const { toolCallId } = attempt ?? {};
    const ofCall = toolCallId === undefined ? {} : { toolCallId };
    return await tools[definition.name](
      { ...situation, machine, defaultRegion, performer, budgets, ...ofCall },
      parsed.value,
    );
  } catch (error) {
    // Refused before anything was written, so the model may correct the call.
    if (error instanceof InvalidInput) return { ok: false, error: error.code, errors: error.errors };
    throw error;
  }
}

/**
 * A number, a name or a voice proves nobody's identity: records are read to a caller who has proved it, and in no chat that
 * another than the member may read.
 */
function refusalOfRecords(
  { identity, isWithheld }: Situation,
  { by }: Performer,
  name: string,
): ToolResult | undefined {
  if (name !== 'read_data' || by !== 'agent') return undefined;
  if (identity === undefined) return isWithheld ? readByAnother : undefined;
  if (mayHearRecords(identity)) return undefined;
  if (identity.kind === 'closed') {
    const note = 'On the phone nothing is told that is stored. Hand over to a person where it is needed.';
    return { ok: false, error: 'identity_not_configured', note };
  }
  const note = 'Have the caller prove who they are first, by prove_identity.';
  return { ok: false, error: 'identity_required', note };
}

const readByAnother: ToolResult = {
  ok: false,
  error: 'unproved_address',
  note: 'Another person may read this chat. Nothing is told that is stored. Hand over to a person where it is needed.',
};

/** Decides whether the turn continues. If it ends, marks the chat's version that it answered as handled. */
async function settleTurn(tx: Tx, ref: ToolCallRef, turn: LockedTurn, now: Date): Promise<ToolOutcome> {
  return outcomeOf(turn, await endsTurn(tx, ref, turn, now));
}

function outcomeOf({ machine }: LockedTurn, ends: boolean): ToolOutcome {
  return machine === undefined ? { endsTurn: ends } : { endsTurn: ends, taskName: currentTask(machine).name };
}

async function endsTurn(
  tx: Tx,
  { chatId, toolCallId }: ToolCallRef,
  { machine, message, isHeld }: LockedTurn,
  now: Date,
): Promise<boolean> {
  const chat = await lockChat(tx, chatId);
  if (chat === undefined) return true;
  const optedOut = callOf(message, toolCallId)?.function.name === 'opt_out';
  // The service has confirmed it, and a reply would be refused.
  const isSilenced = optedOut && (await whyUndeliverable(tx, chat, now)) === 'opted_out';
  const concluded = machine !== undefined && machine.assignment.status !== 'active';
  const movedOn = machine !== undefined && (await hasMovedOn(tx, machine, message));
  // In a hold, the turn stays due.
  if (!concluded && !movedOn && !isSilenced && !chat.paused) return isHeld;

  const handledVersion = Math.max(chat.handledVersion, message.turnVersion ?? 0);
  const settled = await patchChat(tx, chat.id, { handledVersion });
  if (machine !== undefined) {
    await changeChat(machine, async () => settled);
    if (concluded) await passOnUnanswered(machine);
  }
  return true;
}

/** Whether the assignment has moved to an incomplete task in which the agent does not speak. */
async function hasMovedOn(tx: Tx, machine: Machine, { taskId }: MessageRow): Promise<boolean> {
  const task = currentTask(machine);
  if (task.id === taskId || task.taskType === 'conversation' || task.taskType === 'collect') return false;
  if (rowOf(machine, task).completedAt !== null) return false;
  return task.taskType !== 'call' || (await findOpenCall(tx, machine.chat.id)) === undefined;
}
