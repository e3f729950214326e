import type { RealtimeModel } from '../../providers/realtime/realtime.js';
import type { BridgeClock, CarrierStream } from '../bridge/ports.js';
import type { RelayLine } from '../relay/ports.js';
import { soundMs } from '../sound/sound-ms.js';

export type Speaker = 'member' | 'agent';

/** Pauses of the agent that are shorter are none: its sound comes in pieces. */
const minPauseMs = 400;

/**
 * Who speaks in a call, for those who follow its chat: told once for each change. When the agent stops is reckoned from the length of
 * its sound. Nothing waits for it, and it may be lost.
 */
export class SpeakingIndicator {
  readonly #clock: BridgeClock;
  readonly #tell: (speaker: Speaker, active: boolean) => void;
  readonly #speaking = new Set<Speaker>();
  #agentUntil = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: BridgeClock, tell: (speaker: Speaker, active: boolean) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  set(speaker: Speaker, active: boolean): void {
    if (this.#speaking.has(speaker) === active) return;
    if (active) this.#speaking.add(speaker);
    else this.#speaking.delete(speaker);
    this.#tell(speaker, active);
  }

  /** The carrier was sent sound of the agent, which it plays after what it has. */
  sounded(ms: number): void {
    this.#agentUntil = Math.max(this.#agentUntil, this.#clock.now()) + ms;
    this.set('agent', true);
    if (this.#cancel === undefined) this.#await();
  }

  /** The carrier plays no more of what it has. */
  cleared(): void {
    this.#agentUntil = 0;
    this.#cancel?.();
    this.#cancel = undefined;
    this.set('agent', false);
  }

  ended(): void {
    this.cleared();
    this.set('member', false);
  }

  /** One timer for any number of frames. */
  #await(): void {
    const restMs = this.#agentUntil + minPauseMs - this.#clock.now();
    if (restMs <= 0) {
      this.cleared();
      return;
    }
    this.#cancel = this.#clock.after(restMs, () => {
      this.#cancel = undefined;
      this.#await();
    });
  }
}

/** The ports of a call by sound, which tell who speaks. */
export function watchSound(
  stream: CarrierStream,
  model: RealtimeModel,
  speakers: SpeakingIndicator,
): { stream: CarrierStream; model: RealtimeModel } {
  return {
    stream: {
      streamId: stream.streamId,
      carrierCallId: stream.carrierCallId,
      get bufferedBytes() {
        return stream.bufferedBytes;
      },
      listen: (events) => stream.listen(events),
      sendAudio(payload) {
        speakers.sounded(soundMs(payload));
        stream.sendAudio(payload);
      },
      sendMark: (name) => stream.sendMark(name),
      clear() {
        stream.clear();
        speakers.cleared();
      },
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      close: () => stream.close(),
    },
    model: {
      connect: (settings, take, signal) =>
        model.connect(
          settings,
          (event) => {
            if (event.type === 'speech_started') speakers.set('member', true);
            if (event.type === 'speech_stopped' || event.type === 'closed') speakers.set('member', false);
            take(event);
          },
          signal,
        ),
    },
  };
}

/** The line of a call by text, which tells who speaks, as far as the carrier does. */
export function watchLine(line: RelayLine, speakers: SpeakingIndicator): RelayLine {
  return {
    streamId: line.streamId,
    carrierCallId: line.carrierCallId,
    listen: (events) =>
      line.listen({
        ...events,
        interrupted(interruption) {
          speakers.set('agent', false);
          events.interrupted(interruption);
        },
        speaking(who, isOn) {
          speakers.set(who === 'agent' ? 'agent' : 'member', isOn);
          events.speaking(who, isOn);
        },
      }),
    say: (text, isLast) => line.say(text, isLast),
    close: () => line.close(),
  };
}
