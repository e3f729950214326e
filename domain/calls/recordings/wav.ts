/** A frame is a byte of each of the two channels, 8,000 times a second. */
export const frameBytes = 2;
export const framesPerSecond = 8_000;
export const wavHeaderBytes = 58;
/** The byte of µ-law that is silence. */
export const silenceByte = 0xff;

/** The number of WAV's list of formats. */
const muLaw = 7;
const formatBytes = 18;

/**
 * The header of a WAV file with two channels of µ-law at 8 kHz: `fmt ` with its extension and `fact`, which formats
 * other than PCM need, and the beginning of `data`. Players read it; the module `wave` of Python knows PCM only.
 */
export function wavHeader(frames: number): Buffer {
  const header = Buffer.alloc(wavHeaderBytes);
  const data = frames * frameBytes;
  let at = 0;
  const name = (text: string) => {
    at += header.write(text, at, 'latin1');
  };
  const long = (value: number) => {
    at = header.writeUInt32LE(value, at);
  };
  const short = (value: number) => {
    at = header.writeUInt16LE(value, at);
  };
  name('RIFF');
  long(wavHeaderBytes - 8 + data);
  name('WAVE');
  name('fmt ');
  long(formatBytes);
  short(muLaw);
  short(2);
  long(framesPerSecond);
  long(framesPerSecond * frameBytes);
  short(frameBytes);
  short(8);
  short(0);
  name('fact');
  long(4);
  long(frames);
  name('data');
  long(data);
  return header;
}
