import type {
  ConversationItemCreateEvent,
  RealtimeAudioInputTurnDetection,
  RealtimeSessionCreateRequest,
  SessionUpdateEvent,
} from 'openai/resources/realtime/realtime';
import type { RealtimeInstructions, RealtimeMessage, RealtimeSettings, TurnDetection } from './realtime.js';

/** Of one response: some three minutes of speech. */
const maxTokens = 4_096;
const telephone = { type: 'audio/pcmu' } as const;

/**
 * The settings of a whole session. Responses are created and cancelled by the caller of the session alone, so that there is never a
 * second one, and none is cut off by a cough.
 */
export function sessionRequest(settings: RealtimeSettings): SessionUpdateEvent {
  const { voice, turnDetection, noiseReduction, transcription } = settings;
  const session: RealtimeSessionCreateRequest = {
    ...instructionsOf(settings),
    output_modalities: ['audio'],
    max_output_tokens: maxTokens,
    audio: {
      input: {
        format: telephone,
        turn_detection: detectionOf(turnDetection),
        ...(noiseReduction === null ? {} : { noise_reduction: { type: noiseReduction } }),
        ...(transcription === null ? {} : { transcription }),
      },
      output: { format: telephone, voice },
    },
  };
  return { type: 'session.update', session };
}

/** The voice is not part of it: it cannot be changed once the model has spoken. */
export function instructionsRequest(instructions: RealtimeInstructions): SessionUpdateEvent {
  return { type: 'session.update', session: instructionsOf(instructions) };
}

/** Without `type`, the server refuses the update and goes on without instructions. */
function instructionsOf({ instructions, tools }: RealtimeInstructions) {
  return {
    type: 'realtime',
    instructions,
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      description,
      parameters,
    })),
  } as const;
}

function detectionOf(detection: TurnDetection): RealtimeAudioInputTurnDetection {
  const ours = { create_response: false, interrupt_response: false };
  if (detection.kind === 'semantic_vad') {
    const { eagerness } = detection;
    return { type: 'semantic_vad', ...ours, ...(eagerness === undefined ? {} : { eagerness }) };
  }
  const { threshold, prefixPaddingMs, silenceMs } = detection;
  return {
    type: 'server_vad',
    ...ours,
    ...(threshold === undefined ? {} : { threshold }),
    ...(prefixPaddingMs === undefined ? {} : { prefix_padding_ms: prefixPaddingMs }),
    ...(silenceMs === undefined ? {} : { silence_duration_ms: silenceMs }),
  };
}

export function messageRequest({ role, text }: RealtimeMessage): ConversationItemCreateEvent {
  const type = 'conversation.item.create';
  if (role === 'assistant') {
    return { type, item: { type: 'message', role, content: [{ type: 'output_text', text }] } };
  }
  if (role === 'system') {
    return { type, item: { type: 'message', role, content: [{ type: 'input_text', text }] } };
  }
  return { type, item: { type: 'message', role, content: [{ type: 'input_text', text }] } };
}
