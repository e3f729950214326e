import { isAssignmentHeld } from '../../db/assignments/held-assignments.js';
import { type ChatRow, lockChat, patchChat } from '../../db/conversations/chats.js';
import {
  countUserMessagesAfter,
  findTurnMessage,
  insertMessage,
  selectToolCallsOfTurn,
  type ToolCall,
} from '../../db/conversations/messages.js';
import { isWorkspaceHeld } from '../../db/definitions/workspace-holds.js';
import type { Tx } from '../../db/tx.js';
import type { AssignmentStep, ChatStep, RoundResult } from '../../workflows/contracts/steps.js';
import { queueDelivery, shownAsQueued } from '../channels/deliveries/queue-delivery.js';
import { messageParts } from '../channels/message-text.js';
import { holdEnded } from '../chat-state/held-turn.js';
import { leftForPerson } from '../chat-state/left-for-person.js';
import { maxInterruptions, maxToolCallsInAnswer } from '../kernel/agent-budgets.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { type PricedCall, priceCall } from '../kernel/ai-models/credits.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import type { ModelsContext } from '../kernel/context.js';
import { bookModelCall, bookModelCallIn, type CallUsage } from './model-calls.js';
import { type Asked, type RoundRef, resultOf } from './prepare-round.js';
import { proposedAnswers } from './suggestions.js';

export interface ModelAnswer {
  content: string | null;
  toolCalls: { id: string; name: string; arguments: string }[];
  usage: CallUsage;
}

/** The request that the answer belongs to. */
type AskedOf = Pick<
  Asked,
  | 'callId'
  | 'chatVersion'
  | 'lastMessageId'
  | 'taskId'
  | 'modelId'
  | 'suggestions'
  | 'mayPropose'
  | 'abilities'
>;

/** A step that follows on the answer, in its transaction. */
type StepIn = (tx: Tx, now: Date) => Promise<AssignmentStep | ChatStep>;

/**
 * Stores the model's answer and books its call: the provider also charges for answers that are dropped or cannot be stored.
 * @param then the step that follows on a turn that the answer ends
 */
export async function recordAnswer(
  context: ModelsContext,
  ref: RoundRef,
  asked: AskedOf,
  answer: ModelAnswer,
  then?: StepIn,
): Promise<RoundResult> {
  const { workspaceId } = ref;
  const { callId } = asked;
  const now = context.clock.now();
  const store = (following?: StepIn) =>
    context.db.inWorkspace(workspaceId, async (tx): Promise<RoundResult> => {
      const result = await storeAnswer(context, tx, ref, asked, answer, now);
      const isEnd = result.kind === 'replied' || result.kind === 'nothing_to_say';
      const next = isEnd ? await following?.(tx, now) : undefined;
      await bookModelCallIn(tx, callId, answer.usage, now);
      // Whether another turn may begin is asked again once this one is booked.
      return isEnd && next !== undefined && next.kind !== 'turn' ? { ...result, next } : result;
    });
  try {
    // Where the step fails, the answer is stored without it: the run takes it then, and says why it stands still.
    return await store(then).catch((error) => (then === undefined ? Promise.reject(error) : store()));
  } catch (error) {
    await bookModelCall(context, { workspaceId, callId }, answer.usage).catch(() => undefined);
    throw error;
  }
}

/**
 * Stores the model's answer: its tool calls, which run next, or its text with the delivery. If the chat's version has
 * changed since the request, or the workflow or workspace is held, the answer is dropped; after several interruptions in a row it is stored all the same, so
 * that a fast writer still gets answers.
 */
async function storeAnswer(
  context: ModelsContext,
  tx: Tx,
  ref: RoundRef,
  asked: AskedOf,
  answer: ModelAnswer,
  now: Date,
): Promise<RoundResult> {
  const chat = await lockChat(tx, ref.chatId);
  if (chat === undefined) return { kind: 'nothing_to_say' };
  const taken = await findTurnMessage(tx, ref.turnUuid, ref.round);
  if (taken !== undefined) return resultOf(taken, asked.abilities);

  if (!agentIsDue(chat)) return { kind: 'nothing_to_say' };
  // The turn stays due: the agent answers once the hold ends.
  const { assignmentId } = ref;
  const isHeld = assignmentId === undefined ? isWorkspaceHeld(tx) : isAssignmentHeld(tx, assignmentId);
  if (await isHeld) return { kind: 'nothing_to_say' };
  if (chat.version !== asked.chatVersion && !(await mayAnswerLate(tx, chat, asked))) {
    await patchChat(tx, chat.id, { interruptions: chat.interruptions + 1 });
    return { kind: 'interrupted' };
  }
  if (answer.toolCalls.length > 0 && !ref.mustAnswer) return storeToolCalls(tx, chat, ref, asked, answer);
  const priced = priceCall(context.models, asked.modelId, answer.usage);
  return storeReply(tx, chat, ref, asked, answer, priced, now);
}

/** Only after `maxInterruptions` in a row, and if all changes since the request are messages of the member. */
async function mayAnswerLate(tx: Tx, chat: ChatRow, asked: AskedOf): Promise<boolean> {
  if (chat.interruptions < maxInterruptions) return false;
  const written = await countUserMessagesAfter(tx, chat.id, asked.lastMessageId);
  return written === chat.version - asked.chatVersion;
}

async function storeToolCalls(tx: Tx, chat: ChatRow, ref: RoundRef, asked: AskedOf, answer: ModelAnswer) {
  // Generates own ids: a tool call runs once per id, and not every provider's ids are unique within a chat.
  const toolCalls = answer.toolCalls.slice(0, maxToolCallsInAnswer).map(
    (call, index): ToolCall => ({
      id: `call_${ref.turnUuid.replaceAll('-', '')}_${ref.round}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }),
  );
  const message = await insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    author: 'agent',
    content: null,
    toolCalls,
    ...(chat.assistantMemberId === null ? {} : { memberId: chat.assistantMemberId }),
    taskId: asked.taskId,
    ...placeOf(ref, asked),
  });
  return resultOf(message, asked.abilities);
}

/** Identifies the round of a message, so that it is stored once. */
function placeOf({ turnUuid, round }: RoundRef, { chatVersion }: AskedOf) {
  return { turnUuid, turnRound: round, turnVersion: chatVersion };
}

/** Those of the task, or those that the model proposed last in the turn. */
async function suggestionsOf(tx: Tx, { turnUuid }: RoundRef, asked: AskedOf): Promise<string[]> {
  if (!asked.mayPropose) return asked.suggestions;
  const calls = await selectToolCallsOfTurn(tx, turnUuid);
  const proposal = calls.findLast((call) => call.function.name === 'suggest_answers');
  return proposal === undefined ? [] : proposedAnswers(proposal.function.arguments);
}

async function storeReply(
  tx: Tx,
  chat: ChatRow,
  ref: RoundRef,
  asked: AskedOf,
  answer: ModelAnswer,
  { modelId, credits }: PricedCall,
  now: Date,
): Promise<RoundResult> {
  const { promptTokens, completionTokens, cachedTokens, totalTokens } = answer.usage;
  const tokens = { promptTokens, completionTokens, cachedTokens, totalTokens };
  const parts = messageParts(chat.channel, answer.content ?? '');
  const suggestions = parts.length === 0 ? [] : await suggestionsOf(tx, ref, asked);
  let undeliverable = false;
  for (const [index, part] of parts.entries()) {
    const message = await insertMessage(tx, {
      chatId: chat.id,
      role: 'assistant',
      author: 'agent',
      content: part,
      memberId: chat.assistantMemberId,
      taskId: asked.taskId,
      ...(chat.version === asked.chatVersion ? {} : { answersUntil: asked.lastMessageId }),
      tokenUsage: { ...tokens, model: modelId, credits },
      suggestions: index === parts.length - 1 ? suggestions : [],
      ...(index === 0 ? placeOf(ref, asked) : {}),
      ...shownAsQueued(chat, now),
    });
    if ((await queueDelivery(tx, chat, message, now)) !== undefined) undeliverable = true;
  }
  // An empty or undeliverable reply leaves the chat to a person. What the member wrote since stays unanswered.
  const handledVersion = Math.min(chat.version, asked.chatVersion);
  const handled = { handledVersion, interruptions: 0, ...holdEnded(chat) };
  if (parts.length === 0) await alertColleague(tx, chat, 'no_reply', handled);
  else if (undeliverable) await alertColleague(tx, chat, 'delivery_failed', handled);
  else {
    // An answer moves no assignment that stands, and decides about no tool call.
    await patchChat(tx, chat.id, { ...handled, ...(await leftForPerson(tx, chat)) });
  }
  return parts.length === 0 ? { kind: 'nothing_to_say' } : { kind: 'replied' };
}
