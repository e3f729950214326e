import type { AudioTrackBuffer } from './audio-track-buffer.js';

/** A socket of the service that a call is joined with, as the call's line and the handset's script see it. */
export interface JoinedSocket {
  /** Both sides, in step. */
  readonly said: AudioTrackBuffer;
  readonly played: AudioTrackBuffer;
  /** A frame of the person, and what it hears meanwhile. Returns the milliseconds that it heard. */
  frame(said: Buffer): number;
  press(digit: string): void;
  /** For so long frames do not come, and then all at once. */
  stall(ms: number): void;
  /** The next frames are lost on their way to the carrier. */
  drop(frames: number): void;
  /** As when the carrier's end dies. */
  break(): void;
}
