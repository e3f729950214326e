/** A message of a carrier's stream, as far as it matters here. */
export type CarrierMessage =
  | { event: 'connected' }
  | {
      event: 'start';
      streamId: string;
      carrierCallId: string;
      /** Whether its audio is µ-law at 8 kHz on one channel. */
      isPlayable: boolean;
      parameters: Readonly<Record<string, string>>;
    }
  | { event: 'media'; streamId: string; payload: string; timestampMs: number }
  | { event: 'dtmf'; streamId: string; digit: string }
  | { event: 'mark'; streamId: string; name: string }
  | { event: 'stop'; streamId: string }
  /** Of another track, or of a kind that this service does not know. */
  | { event: 'other' };

const digits = /^[0-9*#A-D]$/;
const number = /^\d{1,15}$/;
const maxParameters = 20;

const defaultFrame =
  /^\{"event":"media","sequenceNumber":"\d{1,15}","streamSid":"([\w-]+)","media":\{"track":"inbound","chunk":"\d{1,15}","timestamp":"(\d{1,15})","payload":"([\w+/=]*)"\}\}$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a frame of the caller's sound as the carrier writes it; undefined for all else, and for a frame with its fields in another order,
 * which `readCarrierMessage` reads. `JSON.parse` would keep its numbers in V8's table of strings until the next major collection:
 * 15,000 a second for a hundred calls (docs/decisions/0164).
 */
export function readUsualFrame(data: Buffer): Extract<CarrierMessage, { event: 'media' }> | undefined {
  // Faster than UTF-8; what matches is ASCII.
  const [, streamId, timestamp, payload] = defaultFrame.exec(data.toString('latin1')) ?? [];
  if (streamId === undefined || payload === undefined) return undefined;
  return { event: 'media', streamId, payload, timestampMs: Number(timestamp) };
}

/** Reads a message of the carrier's protocol, whose numbers are strings. Undefined: it is not one. */
export function readCarrierMessage(text: string): CarrierMessage | undefined {
  let message: Fields;
  try {
    message = fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { event, streamSid: streamId } = message;
  if (typeof event !== 'string') return undefined;
  if (event === 'connected') return { event };
  if (event === 'start') return readStart(message);
  if (typeof streamId !== 'string') return undefined;
  switch (event) {
    case 'media':
      return readMedia(streamId, fieldsOf(message.media));
    case 'dtmf': {
      const { digit } = fieldsOf(message.dtmf);
      return typeof digit === 'string' && digits.test(digit) ? { event, streamId, digit } : undefined;
    }
    case 'mark': {
      const { name } = fieldsOf(message.mark);
      return typeof name === 'string' ? { event, streamId, name } : undefined;
    }
    case 'stop':
      return { event, streamId };
    default:
      return { event: 'other' };
  }
}

function readMedia(streamId: string, { track, timestamp, payload }: Fields): CarrierMessage | undefined {
  if (track !== undefined && track !== 'inbound') return { event: 'other' };
  if (typeof payload !== 'string') return undefined;
  // Without one, or with one of another kind, it counts as now.
  const timestampMs = number.test(String(timestamp)) ? Number(timestamp) : Number.NaN;
  return { event: 'media', streamId, payload, timestampMs };
}

function readStart(message: Fields): CarrierMessage | undefined {
  const start = fieldsOf(message.start);
  const { streamSid: streamId = message.streamSid, callSid: carrierCallId } = start;
  if (typeof streamId !== 'string' || typeof carrierCallId !== 'string') return undefined;
  const { encoding, sampleRate, channels } = fieldsOf(start.mediaFormat);
  const isPlayable = encoding === 'audio/x-mulaw' && Number(sampleRate) === 8_000 && Number(channels) === 1;
  const parameters = Object.entries(fieldsOf(start.customParameters)).slice(0, maxParameters);
  return {
    event: 'start',
    streamId,
    carrierCallId,
    isPlayable,
    parameters: Object.fromEntries(
      parameters.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
