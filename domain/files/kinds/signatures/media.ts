import type { FileSource } from '../file-source.js';
import { ascii } from './images.js';

/** Brands of MP4 files. Others of the same container are QuickTime films, photos and archives. */
const mp4Brands = /^(isom|iso[2-9a-c]|mp4[12]|avc1|dash|MSNV|mmp4|M4[AVP] |f4v )$/;

export function isMp4(head: Uint8Array): boolean {
  return ascii(head, 4, 4) === 'ftyp' && mp4Brands.test(ascii(head, 8, 4));
}

/** Padding between the tag and the first frame is skipped up to here. */
const paddingBytes = 4096;

/** Two frames follow each other: the bytes of one frame header are frequent in other files. */
export async function isMp3(source: FileSource, head: Uint8Array): Promise<boolean> {
  const tag = id3Bytes(head);
  const audio = await source.read(tag, paddingBytes + 4096);
  const start = tag > 0 ? audio.findIndex((byte) => byte !== 0) : 0;
  if (start < 0 || start > paddingBytes) return false;
  const length = frameBytes(audio, start);
  return length !== undefined && frameBytes(audio, start + length) !== undefined;
}

function id3Bytes(head: Uint8Array): number {
  if (ascii(head, 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  const isSynchsafe = (a | b | c | d) < 0x80;
  return isSynchsafe ? 10 + ((a << 21) | (b << 14) | (c << 7) | d) : 0;
}

const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const sampleRates: Record<number, readonly number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
};

/** Returns the length of the MPEG audio frame (layer III) at a place, undefined if there is none. */
function frameBytes(audio: Uint8Array, at: number): number | undefined {
  const [sync = 0, kind = 0, rates = 0] = audio.subarray(at, at + 3);
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return undefined;
  const version = (kind >> 3) & 3;
  const layer = (kind >> 1) & 3;
  const sampleRate = sampleRates[version]?.[(rates >> 2) & 3];
  const bitRate = bitRates[version === 3 ? 1 : 2][rates >> 4];
  if (layer !== 1 || sampleRate === undefined || bitRate === undefined || bitRate === 0) return undefined;
  const samplesPerByte = version === 3 ? 144 : 72;
  return Math.floor((samplesPerByte * bitRate * 1000) / sampleRate) + ((rates >> 1) & 1);
}
