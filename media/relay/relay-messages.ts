/** A message of the carrier in a session of text, as far as it matters here. */
export type RelayMessage =
  | {
      type: 'setup';
      streamId: string;
      carrierCallId: string;
      parameters: Readonly<Record<string, string>>;
    }
  | { type: 'prompt'; text: string; isLast: boolean }
  | { type: 'dtmf'; digit: string }
  | { type: 'interrupt'; heard: string; afterMs: number | undefined }
  | { type: 'speaking'; who: 'agent' | 'caller'; isOn: boolean }
  | { type: 'error' }
  /** Of a kind that this service does not know. */
  | { type: 'other' };

const digits = /^[0-9*#A-D]$/;
const number = /^\d{1,9}(?:\.\d+)?$/;
const maxParameters = 20;
const maxCharacters = 8_000;
const speakers: Readonly<Record<string, 'agent' | 'caller'>> = {
  agentSpeaking: 'agent',
  clientSpeaking: 'caller',
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a message of a session of text. Undefined: it is not one.
 * https://www.twilio.com/docs/voice/conversationrelay/websocket-messages
 */
export function readRelayMessage(text: string): RelayMessage | undefined {
  let message: Fields;
  try {
    message = fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { type } = message;
  if (typeof type !== 'string') return undefined;
  switch (type) {
    case 'setup':
      return readSetup(message);
    case 'prompt': {
      const { voicePrompt, last } = message;
      if (typeof voicePrompt !== 'string') return undefined;
      return { type, text: voicePrompt.slice(0, maxCharacters), isLast: last !== false };
    }
    case 'dtmf': {
      const { digit } = message;
      return typeof digit === 'string' && digits.test(digit) ? { type, digit } : undefined;
    }
    case 'interrupt': {
      const { utteranceUntilInterrupt: heard, durationUntilInterruptMs: after } = message;
      // The carrier's pages show the duration as a text and as a number. A call does not fail for want of it.
      const afterMs = number.test(String(after)) ? Number(after) : undefined;
      return { type, heard: typeof heard === 'string' ? heard.slice(0, maxCharacters) : '', afterMs };
    }
    case 'info':
      return readSpeaker(message);
    case 'error':
      return { type };
    default:
      return { type: 'other' };
  }
}

function readSetup(message: Fields): RelayMessage | undefined {
  const { sessionId: streamId, callSid: carrierCallId } = message;
  if (typeof streamId !== 'string' || typeof carrierCallId !== 'string') return undefined;
  const parameters = Object.entries(fieldsOf(message.customParameters)).slice(0, maxParameters);
  return {
    type: 'setup',
    streamId,
    carrierCallId,
    parameters: Object.fromEntries(
      parameters.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

/** The shape is not published: what is not known of it is left out. */
function readSpeaker({ name, value }: Fields): RelayMessage {
  const who = typeof name === 'string' && Object.hasOwn(speakers, name) ? speakers[name] : undefined;
  if (who === undefined || (value !== 'on' && value !== 'off')) return { type: 'other' };
  return { type: 'speaking', who, isOn: value === 'on' };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A piece of an utterance, to be spoken. */
export function textMessage(token: string, last: boolean): string {
  return JSON.stringify({ type: 'text', token, last });
}

export const endMessage = JSON.stringify({ type: 'end' });
