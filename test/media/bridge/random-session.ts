import type { RealtimeEvent, RealtimeSession, ResponseStatus } from '../../../providers/realtime/realtime.js';
import type { FakeClock } from './fake-clock.js';
import { soundOf } from './random-line.js';

/** What sessions of a call share: chance, time, and what they found wrong. */
export interface RandomWorld {
  clock: FakeClock;
  random: () => number;
  /** False: the model does what it is asked for. */
  isWild: boolean;
  /** Numbers items, responses, calls and what the caller says. */
  nextId(): number;
  /** What the bridge should not have asked for. */
  wrong(what: string): void;
  /** The bridge tells the model how much of an item was heard; 0: nothing. */
  told(item: number, heardMs: number): void;
  take(session: RandomModelSession, event: RealtimeEvent): void;
}

interface Response {
  id: string;
  request: number;
  isOver: boolean;
}

/** A session of a model at some distance, as strict as the real one, which fails, stalls and falls silent by chance. */
export class RandomModelSession implements RealtimeSession {
  bufferedBytes = 0;
  isOver = false;
  /** It goes on to live, and does nothing. */
  isMute = false;
  readonly #world: RandomWorld;
  readonly #latencyMs: number;
  readonly #soundMs = new Map<number, number>();
  readonly #calls = new Set<string>();
  #active: Response | undefined;
  #events = 0;

  constructor(world: RandomWorld) {
    this.#world = world;
    this.#latencyMs = 20 + world.random() * 100;
  }

  /** Told in order. */
  tell(event: RealtimeEvent): void {
    this.#world.clock.after(this.#latencyMs, () => {
      if (!this.isOver) this.#world.take(this, event);
    });
  }

  #ask(run: (eventId: string) => void): string {
    this.#events += 1;
    const eventId = `e${this.#events}`;
    this.#world.clock.after(this.#latencyMs, () => {
      if (!this.isOver && !this.isMute) run(eventId);
    });
    return eventId;
  }

  #chance(share: number): boolean {
    return this.#world.isWild && this.#world.random() < share;
  }

  respond(
    request: number,
    { withTools = true }: { instructions?: string; withTools?: boolean } = {},
  ): string {
    return this.#ask(() => {
      if (this.#active !== undefined) this.#world.wrong('a response beside another one');
      const response = { id: `r${this.#world.nextId()}`, request, isOver: false };
      this.#active = response;
      this.tell({ type: 'response_begun', responseId: response.id, request });
      const fate = this.#world.isWild ? this.#world.random() : 1;
      if (fate < 0.03) return;
      if (fate < 0.06) this.#end(response, 'failed');
      else if (fate < 0.09) this.#end(response, 'completed');
      else this.#make(response, this.#items(), withTools && this.#chance(0.3));
    });
  }

  #items(): number {
    if (this.#chance(0.15)) return 2;
    return this.#chance(0.1) ? 0 : 1;
  }

  #make(response: Response, items: number, isCalling: boolean): void {
    const { clock, random, nextId } = this.#world;
    clock.after(50 + random() * 500, () => {
      if (response.isOver || this.isOver) return;
      if (items > 0) {
        this.#speak(response, nextId(), Math.floor(300 + random() * 3_000), () =>
          this.#make(response, items - 1, isCalling),
        );
      } else if (isCalling) {
        const callId = `c${nextId()}`;
        this.#calls.add(callId);
        this.tell({ type: 'item_begun', responseId: response.id, itemId: callId, kind: 'call' });
        this.#end(response, 'completed', callId);
      } else this.#end(response, 'completed');
    });
  }

  /** Faster than it is played, with a stall now and then. */
  #speak(response: Response, item: number, ms: number, then: () => void): void {
    const { clock, random } = this.#world;
    const pieceMs = [20, 100, 200, 333][Math.floor(random() * 4)] ?? 20;
    const itemId = `i${item}`;
    const responseId = response.id;
    this.tell({ type: 'item_begun', responseId, itemId, kind: 'message' });
    const piece = (leftMs: number): void => {
      if (response.isOver || this.isOver) return;
      if (leftMs <= 0) {
        then();
        return;
      }
      const length = Math.min(pieceMs, leftMs);
      this.#soundMs.set(item, (this.#soundMs.get(item) ?? 0) + length);
      this.tell({ type: 'spoken', responseId, itemId, text: 'some words ', isWhole: false });
      this.tell({ type: 'audio', responseId, itemId, payload: soundOf(item, length) });
      clock.after(this.#chance(0.05) ? 700 : pieceMs * (0.1 + random() * 0.5), () => piece(leftMs - length));
    };
    piece(ms);
  }

  #end(response: Response, status: ResponseStatus, callId?: string): void {
    if (this.#active !== response) return;
    response.isOver = true;
    this.#active = undefined;
    this.tell({
      type: 'response_ended',
      responseId: response.id,
      request: response.request,
      status,
      reason: undefined,
      calls: callId === undefined ? [] : [{ callId, name: 'save_data', arguments: '{}' }],
      brokenCallIds: [],
      usage: undefined,
    });
  }

  cancel(responseId: string | undefined): string {
    return this.#ask((eventId) => {
      const active = this.#active;
      if (active === undefined || (responseId !== undefined && responseId !== active.id)) {
        this.tell({ type: 'refused', code: 'response_cancel_not_active', eventId });
      } else this.#end(active, 'cancelled');
    });
  }

  truncate(itemId: string, heardMs: number): string {
    const item = Number(itemId.slice(1));
    this.#world.told(item, heardMs);
    return this.#ask(() => {
      const most = this.#soundMs.get(item) ?? 0;
      if (heardMs <= 0 || heardMs > most) this.#world.wrong(`a truncation at ${heardMs} of ${most} ms`);
    });
  }

  deleteItem(itemId: string): string {
    if (itemId.startsWith('i')) this.#world.told(Number(itemId.slice(1)), 0);
    return this.#ask(() => {});
  }

  addToolOutput(callId: string): string {
    return this.#ask(() => {
      if (!this.#calls.delete(callId)) this.#world.wrong('an output of no call, or a second one');
    });
  }

  appendAudio(): void {}
  addMessage(): string {
    return this.#ask(() => {});
  }
  instruct(): string {
    return this.#ask(() => {});
  }
  pause(): void {}
  resume(): void {}
  close(): void {
    this.isOver = true;
  }
}
