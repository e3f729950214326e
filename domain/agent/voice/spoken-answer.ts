import { randomUUID } from 'node:crypto';
import { hasSpokenInCall, selectBoundedHistory } from '../../../db/conversations/messages.js';
import { findParticipant } from '../../../db/conversations/participants.js';
import type { Tx } from '../../../db/tx.js';
import { stopForCredits } from '../../chat-state/credit-budget.js';
import { usableChatModelConfig } from '../../kernel/ai-models/chat-model-config.js';
import type { ModelCatalogue } from '../../kernel/ai-models/model-catalogue.js';
import { estimateTokens, openModelCall } from '../model-calls.js';
import { toModelHistory } from '../model-history.js';
import { outcomesOfOpen } from '../open-calls.js';
import { readSituation } from '../read-situation.js';
import type { LockedBridgedCall } from './bridged-call.js';
import { type CallNews, readCallNews, spokenInstructions, type ToldState } from './call-news.js';
import { type CallOpening, conductOf, firstWordsOf } from './call-opening.js';
import { callSettings } from './call-settings.js';
import { greetingOf } from './number-greeting.js';
import { isToBeSpoken, spokenHistoryBounds, tellable, textOf } from './spoken-history.js';

/** What a call begins with whose words the carrier writes down and speaks. */
export interface RelayOpening {
  conduct: CallOpening['conduct'];
  firstWords: string;
  greeting?: string;
  news: CallNews;
}

export async function openRelay(
  tx: Tx,
  locked: LockedBridgedCall,
  told: ToldState,
  now: Date,
): Promise<RelayOpening> {
  const { call, chat } = locked;
  const { assistant, realtimeModelConfig } = await readSituation(tx, chat, now);
  const here = assistant === null ? undefined : await findParticipant(tx, chat.id, assistant.memberId);
  const config = callSettings(assistant, realtimeModelConfig, here);
  const history = await selectBoundedHistory(tx, chat.id, spokenHistoryBounds);
  told.lastMessageId = Math.max(told.lastMessageId, history.at(-1)?.id ?? 0);
  const isStarted = await hasSpokenInCall(tx, call.id);
  const greeting = await greetingOf(tx, call, isStarted);
  return {
    conduct: conductOf(config),
    firstWords: firstWordsOf(call.inbound, isStarted),
    ...(greeting === undefined ? {} : { greeting }),
    news: await readCallNews(tx, locked, told, now),
  };
}

/** A message in the form of a chat model, without files: they are not shown on the phone. */
export type SpokenTurn =
  | { role: 'system' | 'user'; content: string }
  | {
      role: 'assistant';
      content: string | null;
      toolCalls?: { id: string; name: string; arguments: string }[];
    }
  | { role: 'tool'; toolCallId: string; content: string };

/** A request to a chat model for the agent's next words in a call. */
export interface SpokenRequest {
  /** The id of its booking. */
  bookingId: string;
  /** The provider's name of the model. */
  model: string;
  config: Record<string, unknown>;
  messages: SpokenTurn[];
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
}

/**
 * What the chat model is asked for the agent's next words: the same as in text, with the history of the chat
 * as it was heard. The call of the model is noted in the ledger. @returns `no_model` if none is configured,
 * or the credits of the month are used up: a colleague is alerted then
 */
export async function prepareSpokenAnswer(
  tx: Tx,
  models: ModelCatalogue,
  { call, chat }: LockedBridgedCall,
  told: ToldState,
  now: Date,
): Promise<SpokenRequest | 'no_model'> {
  const situation = await readSituation(tx, chat, now);
  const { assistant } = situation;
  const here = assistant === null ? undefined : await findParticipant(tx, chat.id, assistant.memberId);
  const model = models.chooseChatModel([here?.chatModelId, chat.chatModelId, assistant?.chatModelId]);
  if (model === undefined) return 'no_model';
  const { instructions, tools } = await spokenInstructions(tx, situation, call);
  const history = await selectBoundedHistory(tx, chat.id, spokenHistoryBounds);
  told.lastMessageId = Math.max(told.lastMessageId, history.at(-1)?.id ?? 0);
  // What is still to be spoken was not said.
  const said = tellable(history, situation).filter((row) => !isToBeSpoken(row));
  const messages: SpokenTurn[] = [
    { role: 'system', content: instructions },
    ...toModelHistory(said, new Map(), await outcomesOfOpen(tx, chat, said)).map(
      (message): SpokenTurn =>
        message.role === 'user' ? { role: 'user', content: textOf(message.content) } : message,
    ),
  ];
  const bookingId = randomUUID();
  const promptTokens = estimateTokens([messages, tools]);
  const spentUntil = await openModelCall(
    tx,
    models,
    { callId: bookingId, chat, turnUuid: call.uuid, modelId: model.id, promptTokens },
    now,
  );
  if (spentUntil !== undefined) {
    if (chat.agentStoppedReason === null) await stopForCredits(tx, chat, spentUntil);
    return 'no_model';
  }
  const config = usableChatModelConfig(here?.chatModelConfig ?? assistant?.chatModelConfig ?? {});
  return { bookingId, model: model.name, config, messages, tools };
}
