/** Bytes of µ-law sound in a millisecond, at 8 kHz. */
export const bytesPerMs = 8;

/** How long each byte of a text (UTF-8) is spoken. */
const syllableMs = 40;
const syllableBytes = syllableMs * bytesPerMs;

/** Begins each syllable; all of its samples are loud, and so are the others. */
const mark = 0x10;
const quiet = 0xff;

/**
 * Speaks a text as µ-law sound whose words can be understood again, so that simulators talk to each other without a model of speech.
 * Each byte of the text is a syllable: two marks, and its halves by turns.
 */
export function speak(text: string): Buffer {
  return Buffer.concat([...Buffer.from(text)].map(syllable));
}

function syllable(byte: number): Buffer {
  const sound = Buffer.alloc(syllableBytes);
  for (let place = 2; place < syllableBytes; place += 2) {
    sound[place] = byte >> 4;
    sound[place + 1] = 0x80 | (byte & 0x0f);
  }
  sound.fill(mark, 0, 2);
  return sound;
}

/** Understands what was spoken in a sound, whatever is around it. A syllable that was cut off counts if it began. */
export function understand(sound: Uint8Array): string {
  const bytes: number[] = [];
  for (let place = 0; place + 3 < sound.length; place += 1) {
    if (sound[place] !== mark || sound[place + 1] !== mark) continue;
    const [high = quiet, low = quiet] = sound.subarray(place + 2, place + 4);
    if (high < 0x10 && (low & 0xf0) === 0x80) bytes.push((high << 4) | (low & 0x0f));
    place += 3;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll('\uFFFD', '');
}

/** How long a text is spoken. */
export function spokenMs(text: string): number {
  return Buffer.byteLength(text) * syllableMs;
}

export function silence(ms: number): Buffer {
  return Buffer.alloc(ms * bytesPerMs, quiet);
}

/** A sound that is as loud as speech, and has no words. */
export function cough(ms: number): Buffer {
  return Buffer.alloc(ms * bytesPerMs, 0x20);
}

/** Whether a sound, such as a frame, is loud on average. */
export function isLoud(sound: Uint8Array): boolean {
  let loud = 0;
  for (const sample of sound) if ((sample & 0x7f) < 0x40) loud += 1;
  return loud * 2 > sound.length;
}
