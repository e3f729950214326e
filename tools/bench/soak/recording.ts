import { silenceByte, wavHeaderBytes } from '../../../domain/calls/recordings/wav.js';
import { understand } from '../../simulators/support/spoken.js';

const bytesPerMs = 8;
/** A longer pause than between the syllables of one saying. */
const pauseMs = 200;

export interface Sound {
  atMs: number;
  ms: number;
  words: string;
}

/** One channel of a WAV file: 0 is what the caller said, 1 what the agent said. */
export function channelOf(wav: Uint8Array, channel: 0 | 1): Buffer {
  const bytes = Buffer.alloc(Math.floor((wav.byteLength - wavHeaderBytes) / 2));
  for (let frame = 0; frame < bytes.length; frame += 1) {
    bytes[frame] = wav[wavHeaderBytes + 2 * frame + channel] as number;
  }
  return bytes;
}

/** What is heard on a channel, with the pauses between. */
export function soundsOn(channel: Uint8Array): Sound[] {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at < channel.length; at += 1) {
    if (channel[at] === silenceByte) continue;
    const last = found.at(-1);
    if (last !== undefined && at - last.to <= pauseMs * bytesPerMs) last.to = at;
    else found.push({ from: at, to: at });
  }
  return found.map(({ from, to }) => ({
    atMs: from / bytesPerMs,
    ms: (to + 1 - from) / bytesPerMs,
    words: understand(channel.subarray(from, to + 1)),
  }));
}

/** The milliseconds of a channel in which something is heard. */
export function loudMs(channel: Uint8Array): number {
  let loud = 0;
  for (const byte of channel) if (byte !== silenceByte) loud += 1;
  return loud / bytesPerMs;
}
