import type {
  ConversationItem,
  ConversationItemInputAudioTranscriptionCompletedEvent,
  RealtimeResponse,
  RealtimeResponseUsage,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime';
import type { ModelUsage } from '../model/chat-model.js';
import type { RealtimeEvent, TranscriptionUsage } from './realtime.js';

/** The name of our number in the metadata of a response. */
export const requestKey = 'request';

const defaultAudio =
  /^\{(?:"event_id":"[\w-]*",)?"type":"response\.output_audio\.delta",(?:"event_id":"[\w-]*",)?"response_id":"([\w-]+)","item_id":"([\w-]+)","output_index":\d{1,9},"content_index":\d{1,9},"delta":"([\w+/=]*)"\}$/;

/**
 * Reads a frame of sound as the server writes it; undefined for all else, and for one with other fields or in another order, which
 * `readEvent` reads. Fifty times a second and call, `JSON.parse` is too slow (docs/decisions/0164).
 */
export function readUsualAudio(data: Buffer): Extract<RealtimeEvent, { type: 'audio' }> | undefined {
  // Faster than UTF-8; what matches is ASCII.
  const [, responseId, itemId, payload] = defaultAudio.exec(data.toString('latin1')) ?? [];
  if (responseId === undefined || itemId === undefined || payload === undefined) return undefined;
  return { type: 'audio', responseId, itemId, payload };
}

/** Reads an event of the server; undefined for kinds that say nothing new. */
export function readEvent(event: RealtimeServerEvent): RealtimeEvent | undefined {
  switch (event.type) {
    case 'input_audio_buffer.speech_started':
      return { type: 'speech_started', itemId: event.item_id, atMs: event.audio_start_ms };
    case 'input_audio_buffer.speech_stopped':
      return { type: 'speech_stopped', itemId: event.item_id, atMs: event.audio_end_ms };
    case 'input_audio_buffer.committed':
      return { type: 'heard', itemId: event.item_id, afterItemId: event.previous_item_id ?? null };
    case 'conversation.item.input_audio_transcription.completed':
      return {
        type: 'transcribed',
        itemId: event.item_id,
        text: event.transcript,
        usage: transcriptionUsage(event.usage),
      };
    case 'conversation.item.input_audio_transcription.failed':
      return { type: 'not_transcribed', itemId: event.item_id, code: codeIn(event.error?.code) ?? 'error' };
    case 'response.created':
      return {
        type: 'response_begun',
        responseId: event.response.id ?? '',
        request: requestOf(event.response),
      };
    case 'response.output_item.added':
      return itemStarted(event.response_id, event.item);
    case 'response.output_audio.delta':
      return {
        type: 'audio',
        responseId: event.response_id,
        itemId: event.item_id,
        payload: event.delta,
      };
    case 'response.output_audio_transcript.delta':
      return spoken(event, event.delta, false);
    case 'response.output_audio_transcript.done':
      return spoken(event, event.transcript, true);
    case 'response.done':
      return responseEnded(event.response);
    case 'error':
      return {
        type: 'refused',
        code: codeIn(event.error.code) ?? codeIn(event.error.type) ?? 'error',
        eventId: event.error.event_id ?? undefined,
      };
    default:
      return undefined;
  }
}

function itemStarted(responseId: string, item: ConversationItem): RealtimeEvent | undefined {
  if (item.type !== 'message' && item.type !== 'function_call') return undefined;
  const kind = item.type === 'message' ? 'message' : 'call';
  return { type: 'item_begun', responseId, itemId: item.id ?? '', kind };
}

function spoken(
  { response_id: responseId, item_id: itemId }: { response_id: string; item_id: string },
  text: string,
  isWhole: boolean,
): RealtimeEvent {
  return { type: 'spoken', responseId, itemId, text, isWhole };
}

function responseEnded(response: RealtimeResponse): RealtimeEvent {
  const { id = '', status, status_details: details, output = [], usage } = response;
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
  return {
    type: 'response_ended',
    responseId: id,
    request: requestOf(response),
    status: status === undefined || status === 'in_progress' ? 'incomplete' : status,
    reason: codeIn(details?.error?.code) ?? codeIn(details?.error?.type) ?? codeIn(details?.reason),
    calls: calls.flatMap(({ call_id: callId, name, arguments: args, status: state }) =>
      callId === undefined || state === 'incomplete' ? [] : [{ callId, name, arguments: args }],
    ),
    brokenCallIds: calls.flatMap(({ call_id: callId, status: state }) =>
      callId !== undefined && state === 'incomplete' ? [callId] : [],
    ),
    usage: usage === undefined ? undefined : usageOf(usage),
  };
}

function requestOf({ metadata }: RealtimeResponse): number | undefined {
  const value = metadata?.[requestKey];
  return value === undefined ? undefined : Number(value);
}

function usageOf(usage: RealtimeResponseUsage): ModelUsage {
  const { input_tokens: prompt = 0, output_tokens: completion = 0 } = usage;
  return counted(prompt, completion, usage.total_tokens, {
    cached: usage.input_token_details?.cached_tokens ?? 0,
    audioIn: usage.input_token_details?.audio_tokens ?? 0,
    audioOut: usage.output_token_details?.audio_tokens ?? 0,
  });
}

function transcriptionUsage(
  usage: ConversationItemInputAudioTranscriptionCompletedEvent['usage'] | undefined,
): TranscriptionUsage | undefined {
  if (usage === undefined) return undefined;
  if (usage.type === 'duration') return { seconds: usage.seconds };
  const audioIn = usage.input_token_details?.audio_tokens ?? 0;
  return {
    tokens: counted(usage.input_tokens, usage.output_tokens, usage.total_tokens, {
      cached: 0,
      audioIn,
      audioOut: 0,
    }),
  };
}

function counted(
  promptTokens: number,
  completionTokens: number,
  totalTokens: number | undefined,
  { cached, audioIn, audioOut }: { cached: number; audioIn: number; audioOut: number },
): ModelUsage {
  return {
    promptTokens,
    completionTokens,
    cachedTokens: cached,
    totalTokens: totalTokens ?? promptTokens + completionTokens,
    ...(audioIn + audioOut === 0 ? {} : { audioInputTokens: audioIn, audioOutputTokens: audioOut }),
  };
}

/** The provider's code if it has the form of one. Its messages are not used: they can quote the conversation. */
export function codeIn(code: string | null | undefined): string | undefined {
  return typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : undefined;
}
