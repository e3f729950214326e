import { randomUUID } from 'node:crypto';
import { readChatLedger, readWorkspaceDay } from '../../../db/agent/agent-ledger.js';
import { findPhoneCallByUuid, hasCallerSpoken, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import { addChatLabels, chatLabelTable, pinChatLabels } from '../../../db/conversations/chat-labels.js';
import { type ChatRow, lockChat, patchChat } from '../../../db/conversations/chats.js';
import {
  countCallsBesideTurns,
  isStillSaid,
  selectBothEnds,
} from '../../../db/conversations/said-messages.js';
import { selectLabels } from '../../../db/lib/labels.js';
import type { Tx } from '../../../db/tx.js';
import type { SummaryOutcome } from '../../../workflows/contracts/commands.js';
import { bookModelCall, estimateTokens, openModelCall } from '../../agent/model-calls.js';
import type { ModelMessage } from '../../agent/model-history.js';
import type { ModelAnswer } from '../../agent/store-model-answer.js';
import { dayOf, isDaySpent } from '../../chat-state/admit-turn.js';
import { defaultAgentBudgets } from '../../kernel/agent-budgets.js';
import type { ModelsContext } from '../../kernel/context.js';
import { callSummaryEvent } from '../../kernel/events/call-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { readSummary } from './read-summary.js';
import { type OfferedLabel, type SummaryTool, summaryBounds, summaryRequest } from './summary-prompt.js';

export interface SummaryRef {
  workspaceId: number;
  chatId: number;
  requestUuid: string;
  updateLabels: boolean;
}

/** A request for the model. */
export interface AskedSummary {
  kind: 'ask';
  callId: string;
  modelId: string;
  /** The newest message in the request. */
  lastMessageId: number;
  messages: ModelMessage[];
  tools: SummaryTool[];
}

const hourMs = 3_600_000;
/** Calls of the model for summaries of one chat within an hour, repetitions included. */
export const maxSummariesAnHour = 20;
const maxLabelsOffered = 100;

/** Builds the request for a summary, or finds that there is nothing to ask. */
export async function prepareSummary(
  context: ModelsContext,
  ref: SummaryRef,
): Promise<AskedSummary | { kind: 'settled'; outcome: SummaryOutcome }> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const settled = (outcome: SummaryOutcome) => ({ kind: 'settled', outcome }) as const;
    // The lock makes the requests of a chat count one after the other.
    const chat = await lockChat(tx, ref.chatId);
    if (chat === undefined) return settled('chat_gone');
    if (chat.summaryRequestUuid === ref.requestUuid) return settled('summarized');
    const ofCall = await findPhoneCallByUuid(tx, ref.requestUuid);
    if (ofCall !== undefined && !(await hasCallerSpoken(tx, ofCall.id))) return settled('nothing_said');
    const said = await selectBothEnds(tx, chat.id, summaryBounds);
    const last = said.newest.at(-1);
    if (last === undefined) return settled('nothing_said');
    const model = context.models.chooseChatModel([chat.chatModelId]);
    if (model === undefined) return settled('no_model');
    const recent = await countCallsBesideTurns(tx, chat.id, new Date(now.getTime() - hourMs));
    if (recent >= maxSummariesAnHour) return settled('too_many');
    // A long call uses the tokens of its chat for the day, and is summarized all the same, once.
    const bounds = ofCall === undefined ? 'chat' : 'workspace';
    if (await hasNoTokens(context, tx, chat, now, bounds)) return settled('token_budget');

    const request = summaryRequest(said, ref.updateLabels ? await labelsOffered(tx) : undefined);
    const callId = randomUUID();
    const promptTokens = estimateTokens([request]);
    const call = { callId, chat, turnUuid: null, modelId: model.id, promptTokens };
    if ((await openModelCall(tx, context.models, call, now)) !== undefined) return settled('token_budget');
    return { kind: 'ask', callId, modelId: model.id, lastMessageId: last.id, ...request };
  });
}

async function hasNoTokens(
  { agentBudgets = defaultAgentBudgets }: ModelsContext,
  tx: Tx,
  chat: ChatRow,
  now: Date,
  bounds: 'chat' | 'workspace',
): Promise<boolean> {
  const day = dayOf(now);
  const dayFrom = new Date(`${day}T00:00:00Z`);
  const times = { hourFrom: dayFrom, dayFrom, turnsFrom: dayFrom, attendedAt: dayFrom };
  const [ledger, workspace] = await Promise.all([
    readChatLedger(tx, chat.id, times),
    readWorkspaceDay(tx, day),
  ]);
  const ofChat = bounds === 'chat' ? ledger : { tokensToday: 0, creditsToday: 0 };
  return isDaySpent(ofChat, workspace, agentBudgets);
}

async function labelsOffered(tx: Tx): Promise<OfferedLabel[]> {
  const page = { page: 1, pageSize: maxLabelsOffered, sortBy: 'name', sortOrder: 'asc' } as const;
  const { items } = await selectLabels(tx, chatLabelTable, {}, page);
  return items.map(({ id, name, description = '' }) => ({ id, name, description }));
}

/**
 * Books the call and stores the summary, unless what was summarized is gone, or a summary has read more of the chat.
 * Labels are added: only those that exist, and none that a colleague gave is taken away.
 * @returns `unreadable` if the model gave no summary
 */
export async function storeSummary(
  context: ModelsContext,
  ref: SummaryRef,
  { callId, lastMessageId }: Pick<AskedSummary, 'callId' | 'lastMessageId'>,
  answer: ModelAnswer,
): Promise<SummaryOutcome | 'unreadable'> {
  const { workspaceId, requestUuid } = ref;
  await bookModelCall(context, { workspaceId, callId }, answer.usage);
  const written = readSummary(answer);
  if (written === undefined) return 'unreadable';
  const { title, summary, labelIds } = written;
  const now = context.clock.now();
  return context.db.inWorkspace(workspaceId, async (tx): Promise<SummaryOutcome> => {
    const labels = await pinChatLabels(tx, ref.updateLabels ? labelIds : []);
    const chat = await lockChat(tx, ref.chatId);
    if (chat === undefined) return 'chat_gone';
    if (chat.summaryRequestUuid === requestUuid) return 'summarized';
    if (!(await isStillSaid(tx, chat.id, lastMessageId))) return 'chat_changed';
    await addChatLabels(tx, chat.id, labels);
    // After a call, its uuid names the request.
    const call = await findPhoneCallByUuid(tx, requestUuid);
    const tell = async (summarized: ChatRow, text: string) => {
      // An attempt whose result was lost has told it.
      if (call === undefined || call.summaryToldAt !== null) return;
      await patchPhoneCall(tx, call.id, { summaryToldAt: now, updatedAt: now });
      await writeEvents(tx, [callSummaryEvent(summarized, call, text)], now);
    };
    const isOlder = chat.summaryMessageId !== null && chat.summaryMessageId > lastMessageId;
    if (isOlder && chat.summary !== null) {
      // One that was written sooner has read what was said in the call, and more.
      await tell(chat, chat.summary);
      return 'summarized';
    }
    const summarized = await patchChat(tx, chat.id, {
      title,
      summary,
      summaryUpdatedAt: now,
      summaryRequestUuid: requestUuid,
      summaryMessageId: lastMessageId,
    });
    await tell(summarized, summary);
    return 'summarized';
  });
}
