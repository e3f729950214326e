import type { BackendNews, Played, Said } from '../../../media/bridge/ports.js';
import type { RelayOpening } from '../../../media/relay/ports.js';
import { RelaySession } from '../../../media/relay/relay-session.js';
import type { Asking } from '../../../media/relay/work.js';
import type { ModelToolCall } from '../../../providers/model/chat-model.js';
import { FakeClock } from '../bridge/fake-clock.js';

export const plain: BackendNews = { isCurrent: true };
export const toolCall = (name = 'save_data'): ModelToolCall => ({ id: 'c1', name, arguments: '{}' });

/** A call by text whose both sides, clock and domain a test plays. */
export class Stage {
  readonly clock = new FakeClock();
  /** What the carrier was sent: the pieces of each talk cycle. */
  cycles: string[] = [];
  /** Of the cycle that is open. */
  sent = '';
  asked: (Asking & { answer: number })[] = [];
  aborted: number[] = [];
  stored: Said[] = [];
  played: { messageId: number; played: Played }[] = [];
  toolRuns: { responseId: string; calls: readonly ModelToolCall[] }[] = [];
  keysTaken: { field: string; digits: string }[] = [];
  looks = 0;
  ended: { reason: string; byItself: boolean } | undefined;
  readonly voice = new RelaySession({
    line: {
      say: (text, isLast) => {
        this.sent += text;
        if (isLast) this.cycles.push(this.sent);
        if (isLast) this.sent = '';
      },
    },
    work: {
      open: () => undefined,
      ask: (answer, asking) => void this.asked.push({ answer, ...asking }),
      abort: (answer) => void this.aborted.push(answer),
      store: (said) => void this.stored.push(said),
      played: (messageId, played) => void this.played.push({ messageId, played }),
      runTools: (responseId, calls) => void this.toolRuns.push({ responseId, calls }),
      takeKeys: (field, digits) => void this.keysTaken.push({ field, digits }),
      look: () => {
        this.looks += 1;
      },
      ended: (reason, byItself) => {
        this.ended = { reason, byItself };
      },
    },
    clock: this.clock,
    beganAt: this.clock.now(),
    streamBeganMs: 0,
  });

  static opened({ firstWords, greeting, conduct, news = plain }: Partial<RelayOpening> = {}): Stage {
    const stage = new Stage();
    const usual = { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 };
    stage.voice.opened({
      firstWords,
      ...(greeting === undefined ? {} : { greeting }),
      conduct: { ...usual, ...conduct },
      news,
    });
    return stage;
  }

  /** The number of the answer that was asked for last. */
  get answer(): number {
    return this.asked.at(-1)?.answer ?? 0;
  }

  /** Pieces of the answer that was asked for last. */
  pieces(...texts: string[]): void {
    for (const text of texts) this.voice.piece(this.answer, text);
  }

  /** The whole of it. */
  answers(text: string, ...calls: ModelToolCall[]): void {
    const { answer } = this;
    this.voice.piece(answer, text);
    this.voice.answered(answer, calls);
  }

  /** The carrier tells that it begins to speak, and after so long that it has ended. */
  speaks(ms: number): void {
    this.voice.speaking('agent', true);
    this.clock.move(ms);
    this.voice.speaking('agent', false);
    this.clock.move(1_200);
  }

  interrupt(heard: string, afterMs: number | undefined = 500): void {
    this.voice.interrupted({ heard, afterMs });
  }

  /** What was said, with the part that was heard. */
  get transcript(): string[] {
    return this.stored.map(
      ({ by, text, cut }) => `${by}: ${text}${cut === undefined ? '' : ` (of: ${cut.whole})`}`,
    );
  }
}
