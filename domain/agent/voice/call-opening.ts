import { hasSpokenInCall, selectBoundedHistory } from '../../../db/conversations/messages.js';
import { findParticipant } from '../../../db/conversations/participants.js';
import type { Tx } from '../../../db/tx.js';
import { findSpentMonth, stopForCredits } from '../../chat-state/credit-budget.js';
import { modelName } from '../../kernel/ai-models/entries.js';
import type { AiModel, ModelCatalogue } from '../../kernel/ai-models/model-catalogue.js';
import type { RealtimeModelConfig } from '../../kernel/ai-models/realtime-model-config.js';
import { readSituation } from '../read-situation.js';
import type { LockedBridgedCall } from './bridged-call.js';
import {
  type CallNews,
  digestOfInstructions,
  readCallNews,
  spokenInstructions,
  type ToldState,
} from './call-news.js';
import { callSettings } from './call-settings.js';
import { greetingOf } from './number-greeting.js';
import { type SpokenMessage, spokenHistoryBounds, tellable, toSpokenHistory } from './spoken-history.js';

/** What a session begins with, in the form of `providers/realtime`. */
export interface CallOpening {
  settings: {
    model: string;
    voice: string;
    instructions: string;
    tools: { name: string; description: string; parameters: Record<string, unknown> }[];
    turnDetection:
      | { kind: 'server_vad'; threshold?: number; prefixPaddingMs?: number; silenceMs?: number }
      | { kind: 'semantic_vad'; eagerness?: 'low' | 'medium' | 'high' | 'auto' };
    noiseReduction: 'near_field' | 'far_field' | null;
    transcription: { model: string; language?: string } | null;
    history: SpokenMessage[];
  };
  conduct: { silenceMs: number | null; silencePrompts: number; fillerMs: number };
  /** What the model is told for its first words. */
  firstWords: string;
  /** Words that are said first of all, exactly so, instead of the model's own; the caller speaks next. */
  greeting?: string;
  news: CallNews;
}

/** The models of a call, by their ids in the catalogue. */
export interface CallModels {
  realtime: string;
  /** Undefined: what the caller says is not written down. */
  transcription: string | undefined;
}

const usual = { idleSeconds: 12, idlePrompts: 2, fillerMs: 1_500 };
const defaultVoice = 'marin';

/** @returns `no_model` if none is configured, or the credits of the month are used up: a colleague is alerted then */
export async function openCall(
  tx: Tx,
  models: ModelCatalogue,
  locked: LockedBridgedCall,
  told: ToldState,
  now: Date,
): Promise<{ opening: CallOpening; models: CallModels } | 'no_model'> {
  const { call, chat } = locked;
  const spent = await findSpentMonth(tx, now);
  if (spent !== undefined) {
    await stopForCredits(tx, chat, spent.until);
    return 'no_model';
  }
  const situation = await readSituation(tx, chat, now);
  const { assistant } = situation;
  const here = assistant === null ? undefined : await findParticipant(tx, chat.id, assistant.memberId);
  const wishes = [here?.realtimeModelId, chat.realtimeModelId, assistant?.realtimeModelId];
  const model = models.chooseRealtimeModel(wishes);
  if (model === undefined) return 'no_model';
  const config = callSettings(assistant, situation.realtimeModelConfig, here);
  const writer = models.recommended('stt');
  const history = await selectBoundedHistory(tx, chat.id, spokenHistoryBounds);
  told.lastMessageId = Math.max(told.lastMessageId, history.at(-1)?.id ?? 0);
  told.isWithheld = situation.isWithheld;
  const instructions = await spokenInstructions(tx, situation, call);
  told.digest = digestOfInstructions(instructions);
  const isStarted = await hasSpokenInCall(tx, call.id);
  const greeting = await greetingOf(tx, call, isStarted);
  const opening: CallOpening = {
    settings: {
      ...instructions,
      model: model.name,
      voice: voiceOf(model, config),
      turnDetection: detectionOf(config),
      noiseReduction: noiseReductionOf(config),
      transcription:
        writer === undefined
          ? null
          : { model: writer.name, ...(config.language === undefined ? {} : { language: config.language }) },
      history: toSpokenHistory(tellable(history, situation)),
    },
    conduct: conductOf(config),
    firstWords: firstWordsOf(call.inbound, isStarted),
    ...(greeting === undefined ? {} : { greeting }),
    news: await readCallNews(tx, locked, told, now),
  };
  return { opening, models: { realtime: model.id, transcription: writer?.id } };
}

/** The stream of a call begins anew after a transfer that came to nothing, or after a crash. */
export function firstWordsOf(isInbound: boolean, isStarted: boolean): string {
  if (isStarted) {
    return 'The call was interrupted for a moment, or comes back from a transfer. Say so briefly, and go on where you were.';
  }
  return isInbound
    ? 'The member has just called. Greet briefly, and begin with the current task.'
    : 'The member has just answered. Greet briefly, say on whose behalf you call, and begin with the current task.';
}

function voiceOf(model: AiModel, { voice }: RealtimeModelConfig): string {
  const wanted = voice === undefined ? undefined : modelName(voice);
  const known = model.voices.map(modelName);
  if (wanted !== undefined && (known.length === 0 || known.includes(wanted))) return wanted;
  return known.length === 0 || known.includes(defaultVoice) ? defaultVoice : (known[0] ?? defaultVoice);
}

/** By default that of the provider's server: the other was reported to hear no interruptions on the phone. */
function detectionOf(config: RealtimeModelConfig): CallOpening['settings']['turnDetection'] {
  const { turn_detection: kind = 'server_vad', eagerness, threshold } = config;
  if (kind === 'semantic_vad') return { kind, ...(eagerness === undefined ? {} : { eagerness }) };
  const { prefix_padding_ms: prefixPaddingMs, silence_duration_ms: silenceMs } = config;
  return {
    kind,
    ...(threshold === undefined ? {} : { threshold }),
    ...(prefixPaddingMs === undefined ? {} : { prefixPaddingMs }),
    ...(silenceMs === undefined ? {} : { silenceMs }),
  };
}

/** Telephones are held to the mouth. */
function noiseReductionOf({ noise_reduction: wanted = 'near_field' }: RealtimeModelConfig) {
  return wanted === 'none' ? null : wanted;
}

export function conductOf({
  idle_seconds: idle = usual.idleSeconds,
  idle_prompts: prompts,
}: RealtimeModelConfig) {
  return {
    silenceMs: idle === 0 ? null : idle * 1_000,
    silencePrompts: prompts ?? usual.idlePrompts,
    fillerMs: usual.fillerMs,
  };
}
