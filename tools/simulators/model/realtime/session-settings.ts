import { isObject, type JsonObject } from '../../support/read-json.js';
import type { Tool } from '../protocol.js';
import type { Detection } from './hearing.js';

/** An event of the client that is refused. The session goes on. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

export interface SessionSettings {
  instructions: string;
  tools: Tool[];
  voice: string;
  /** Null: the client commits what it has appended. */
  detection: (Detection & { createsResponses: boolean; interruptsResponses: boolean }) | null;
  transcribes: boolean;
  /** Whether both directions are the telephone's µ-law. */
  isTelephone: boolean;
}

export const initialSettings: SessionSettings = {
  instructions: 'Be helpful.',
  tools: [],
  voice: 'alloy',
  detection: { prefixPaddingMs: 300, silenceMs: 500, createsResponses: true, interruptsResponses: true },
  transcribes: false,
  isTelephone: false,
};

const known = {
  session: [
    'type',
    'instructions',
    'tools',
    'tool_choice',
    'output_modalities',
    'audio',
    'max_output_tokens',
    'model',
    'truncation',
    'tracing',
    'include',
    'parallel_tool_calls',
    'prompt',
    'reasoning',
  ],
  audio: ['input', 'output'],
  input: ['format', 'noise_reduction', 'transcription', 'turn_detection'],
  output: ['format', 'voice', 'speed'],
  server_vad: [
    'type',
    'threshold',
    'prefix_padding_ms',
    'silence_duration_ms',
    'create_response',
    'interrupt_response',
    'idle_timeout_ms',
  ],
  semantic_vad: ['type', 'eagerness', 'create_response', 'interrupt_response'],
  transcription: ['model', 'language', 'prompt', 'delay'],
  noise_reduction: ['type'],
};

/** Applies an update as the real service does. @throws Refused, and nothing is changed */
export function updatedSettings(
  before: SessionSettings,
  session: unknown,
  hasSpoken: boolean,
): SessionSettings {
  if (!isObject(session) || session.type === undefined) {
    throw new Refused(
      'missing_required_parameter',
      "Missing required parameter: 'session.type'.",
      'session.type',
    );
  }
  if (session.type !== 'realtime') throw new Refused('invalid_value', 'Not a type.', 'session.type');
  check(session, 'session', known.session);
  const audio = part(session, 'audio', 'session.audio', known.audio);
  const input = part(audio, 'input', 'session.audio.input', known.input);
  const output = part(audio, 'output', 'session.audio.output', known.output);
  const voice = output.voice === undefined ? before.voice : String(output.voice);
  if (hasSpoken && voice !== before.voice) {
    throw new Refused(
      'cannot_update_voice',
      'The voice cannot be changed once there was audio.',
      'session.audio.output.voice',
    );
  }
  const reduction = input.noise_reduction;
  if (isObject(reduction) && reduction.type !== 'near_field' && reduction.type !== 'far_field') {
    throw new Refused('invalid_value', 'Not a type.', 'session.audio.input.noise_reduction.type');
  }
  return {
    instructions: typeof session.instructions === 'string' ? session.instructions : before.instructions,
    tools: session.tools === undefined ? before.tools : readTools(session.tools),
    voice,
    detection: input.turn_detection === undefined ? before.detection : readDetection(input.turn_detection),
    transcribes: input.transcription === undefined ? before.transcribes : input.transcription !== null,
    isTelephone:
      input.format === undefined || output.format === undefined
        ? before.isTelephone
        : isTelephone(input.format) && isTelephone(output.format),
  };
}

function isTelephone(format: unknown): boolean {
  return isObject(format) && format.type === 'audio/pcmu';
}

function part(parent: JsonObject, name: string, param: string, fields: readonly string[]): JsonObject {
  const value = parent[name];
  if (value === undefined) return {};
  if (!isObject(value)) throw new Refused('invalid_type', 'Not an object.', param);
  check(value, param, fields);
  return value;
}

function check(value: JsonObject, param: string, fields: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  throw new Refused('unknown_parameter', `Unknown parameter: '${param}.${unknown}'.`, `${param}.${unknown}`);
}

function readDetection(value: unknown): SessionSettings['detection'] {
  const param = 'session.audio.input.turn_detection';
  if (value === null) return null;
  if (!isObject(value)) throw new Refused('invalid_type', 'Not an object.', param);
  const { type } = value;
  if (type !== 'server_vad' && type !== 'semantic_vad') {
    throw new Refused('invalid_value', 'Not a type.', `${param}.type`);
  }
  check(value, param, known[type]);
  return {
    prefixPaddingMs: numberOr(value.prefix_padding_ms, 300),
    silenceMs: numberOr(value.silence_duration_ms, 500),
    createsResponses: value.create_response !== false,
    interruptsResponses: value.interrupt_response !== false,
  };
}

function numberOr(value: unknown, usual: number): number {
  return typeof value === 'number' ? value : usual;
}

function readTools(value: unknown): Tool[] {
  if (!Array.isArray(value)) throw new Refused('invalid_type', 'Not a list.', 'session.tools');
  return value.map((tool: unknown, index) => {
    const param = `session.tools[${index}]`;
    if (!isObject(tool) || tool.type !== 'function' || tool.function !== undefined) {
      throw new Refused('invalid_value', 'Only functions, whose name stands beside their type.', param);
    }
    const { name, description, parameters } = tool;
    if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) {
      throw new Refused('invalid_value', 'A bad name.', `${param}.name`);
    }
    if (!isObject(parameters) || parameters.type !== 'object') {
      throw new Refused('invalid_function_parameters', 'Not an object.', `${param}.parameters`);
    }
    return { name, description: typeof description === 'string' ? description : '', parameters };
  });
}
