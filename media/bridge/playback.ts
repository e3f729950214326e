import { bytesPerMs } from '../sound/sound-ms.js';
import { SoundRing } from '../sound/sound-ring.js';

export interface PlaybackOutput {
  sendAudio(payload: string): void;
  sendMark(name: string): void;
  clear(): void;
}

/** An item that the agent speaks. */
export interface SpokenItem {
  readonly itemId: string;
  readonly responseId: string;
  /** Milliseconds of sound that the model has made, and that the carrier has played. */
  madeMs: number;
  playedMs: number;
  /** When its sound began to play; undefined until then, and while it is held. */
  startedAt: number | undefined;
  /** Whether the model has made all of it. */
  isWhole: boolean;
}

/** Sound that was sent together with a mark, and was not played yet. */
interface Piece {
  item: SpokenItem;
  bytes: number;
  mark: number | undefined;
  /** Its mark follows so much sound. */
  wholeBytes: number;
}

/** Sound before a mark: little of it when the carrier has nothing to play, so that it is soon known when it has begun. */
const markAfterBytes = { silence: 100 * bytesPerMs, sound: 200 * bytesPerMs };

/**
 * What the agent says, from the model to the caller's ear. Marks tell how much was played, and the clock tells it between two of them
 * (docs/decisions/0147-the-bridge-decides-who-speaks.md). Those of a generation that was cleared come back as well, and tell nothing.
 */
export class Playback {
  readonly #output: PlaybackOutput;
  readonly #now: () => number;
  readonly #settled: (item: SpokenItem) => void;
  readonly #items = new Map<string, SpokenItem>();
  #pieces: Piece[] = [];
  /** When the carrier began to play the first piece: when the mark before it came back. Undefined: it was silent before, or is. */
  #headAt: number | undefined;
  /** The sound of the pieces, which is sent again after a false interruption. */
  readonly #sound = new SoundRing();
  #generation = 1;
  #marks = 0;
  #isHeld = false;
  #until = 0;

  /** @param settled is called for each item of which all was played, in their order */
  constructor(output: PlaybackOutput, now: () => number, settled: (item: SpokenItem) => void) {
    this.#output = output;
    this.#now = now;
    this.#settled = settled;
  }

  /** Whether something was made and not played. */
  get isPlaying(): boolean {
    return this.#pieces.length > 0;
  }

  /** Whether what is made is kept back. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** When all that was sent has been played, as far as its length tells. */
  get until(): number {
    return Math.max(this.#until, this.#now());
  }

  begin(itemId: string, responseId: string): void {
    if (this.#items.has(itemId)) return;
    const item = { itemId, responseId, madeMs: 0, playedMs: 0, startedAt: undefined, isWhole: false };
    this.#items.set(itemId, item);
  }

  play(itemId: string, responseId: string, payload: string): void {
    this.begin(itemId, responseId);
    const item = this.#items.get(itemId) as SpokenItem;
    const last = this.#pieces.at(-1);
    const piece =
      last !== undefined && last.item === item && last.mark === undefined && last.bytes < last.wholeBytes
        ? last
        : this.#beginPiece(item, last);
    const bytes = this.#sound.addBase64(payload);
    piece.bytes += bytes;
    item.madeMs += bytes / bytesPerMs;
    if (this.#isHeld) return;
    this.#send(item, payload, bytes);
    if (piece.bytes >= piece.wholeBytes) this.#mark(piece);
  }

  #beginPiece(item: SpokenItem, last: Piece | undefined): Piece {
    const wholeBytes = last === undefined ? markAfterBytes.silence : markAfterBytes.sound;
    // The end of the item before this one: its mark goes before what follows, or those of that would tell nothing.
    if (last !== undefined && last.mark === undefined && !this.#isHeld) this.#mark(last);
    const piece = { item, bytes: 0, mark: undefined, wholeBytes };
    this.#pieces.push(piece);
    return piece;
  }

  #send(item: SpokenItem, payload: string, bytes: number): void {
    const begins = this.until;
    item.startedAt ??= begins;
    this.#until = begins + bytes / bytesPerMs;
    this.#output.sendAudio(payload);
  }

  #mark(piece: Piece): void {
    this.#marks += 1;
    piece.mark = this.#marks;
    this.#output.sendMark(`${this.#generation}.${this.#marks}`);
  }

  /** The model has made all of a response. */
  finish(responseId: string): void {
    for (const item of this.#items.values()) if (item.responseId === responseId) item.isWhole = true;
    if (!this.#isHeld) this.#markRest();
    this.#settle();
  }

  #markRest(): void {
    for (const piece of this.#pieces) if (piece.mark === undefined) this.#mark(piece);
  }

  /** The carrier has played, or cleared, all that was sent before this mark. */
  marked(name: string): void {
    const dot = name.indexOf('.');
    const number = Number(name.slice(dot + 1));
    if (dot < 0 || Number(name.slice(0, dot)) !== this.#generation || Number.isNaN(number)) return;
    while (this.#pieces[0]?.mark !== undefined && this.#pieces[0].mark <= number) {
      const piece = this.#pieces.shift() as Piece;
      this.#sound.skip(piece.bytes);
      piece.item.playedMs += piece.bytes / bytesPerMs;
      this.#headAt = this.#pieces.length === 0 ? undefined : this.#now();
    }
    this.#settle();
  }

  /** Counts what was played of the first piece since the mark before it. The rest of it is played once its own mark is back. */
  #playHead(): void {
    const [head] = this.#pieces;
    if (head === undefined || this.#headAt === undefined) return;
    const elapsed = Math.floor((this.#now() - this.#headAt) * bytesPerMs);
    const played = Math.max(0, Math.min(elapsed, head.bytes - 1));
    this.#sound.skip(played);
    head.bytes -= played;
    head.item.playedMs += played / bytesPerMs;
    this.#headAt = undefined;
  }

  /** Takes all that was sent as played: the carrier does not send its marks. */
  assumePlayed(): void {
    if (this.#isHeld) return;
    for (const { item, bytes } of this.#pieces.splice(0)) item.playedMs += bytes / bytesPerMs;
    this.#headAt = undefined;
    this.#sound.drop();
    this.#settle();
  }

  #settle(): void {
    for (const item of this.#items.values()) {
      if (!item.isWhole || item.playedMs < item.madeMs) return;
      this.#items.delete(item.itemId);
      this.#settled(item);
    }
  }

  /** Stops the sound at once, and keeps what was not played. What is made from now on is kept as well. */
  hold(): void {
    if (this.#isHeld) return;
    this.#playHead();
    this.#isHeld = true;
    this.#generation += 1;
    this.#until = this.#now();
    if (this.#pieces.length > 0) this.#output.clear();
  }

  /** Goes on where it was held. */
  resume(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#splitHead();
    let offset = 0;
    const last = this.#pieces.at(-1);
    for (const piece of this.#pieces) {
      piece.mark = undefined;
      this.#send(piece.item, this.#sound.base64(offset, piece.bytes), piece.bytes);
      offset += piece.bytes;
      if (piece !== last || piece.bytes >= piece.wholeBytes || piece.item.isWhole) this.#mark(piece);
    }
    this.#settle();
  }

  /** The first piece follows a silence, thus its mark comes early. */
  #splitHead(): void {
    const [head] = this.#pieces;
    const { silence: bytes } = markAfterBytes;
    if (head === undefined || head.bytes <= bytes) return;
    head.bytes -= bytes;
    this.#pieces.unshift({ ...head, bytes, wholeBytes: bytes });
  }

  /** Forgets what was not played. @returns the items that were cut off, in their order */
  drop(): SpokenItem[] {
    this.#playHead();
    if (!this.#isHeld && this.#pieces.length > 0) this.#output.clear();
    this.#generation += 1;
    this.#until = this.#now();
    this.#isHeld = false;
    this.#pieces = [];
    this.#sound.drop();
    const cut = [...this.#items.values()];
    this.#items.clear();
    return cut;
  }
}
