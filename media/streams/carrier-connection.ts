import type { WebSocket } from 'ws';

export type EndReason = 'stop' | 'closed' | 'error';

/** A carrier that takes no more than this does not read. */
const maxBuffered = 2 * 1_024 * 1_024;
/** Events before anyone listens: 20 seconds of audio. */
const maxEarly = 1_000;
/** Messages that are none of the protocol, before the peer is taken for no carrier. */
const maxMalformed = 50;
/** A carrier sends frames all the time, or answers pings. */
const checkMs = 10_000;

export interface ConnectionOptions<Events> {
  /** Reads a message; undefined: it is none of the protocol. */
  read(data: Buffer): ((events: Events) => void) | undefined;
  /** Called for what a listener throws; the stream has ended then. */
  onFailure: (error: unknown) => void;
}

/** The carrier's side of one call on a WebSocket: what both of its protocols have in common. */
export class CarrierConnection<Events extends { ended(reason: EndReason): void }> {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions<Events>;
  readonly #checking: NodeJS.Timeout;
  #events: Events | undefined;
  /** Events that came before anyone listened. */
  #early: ((events: Events) => void)[] = [];
  #malformed = 0;
  #isAlive = true;
  #end: EndReason | undefined;

  constructor(socket: WebSocket, options: ConnectionOptions<Events>) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data: Buffer, isBinary) => this.#guarded(() => this.#read(data, isBinary)));
    socket.on('pong', () => this.#heardOf());
    socket.on('close', () => this.#guarded(() => this.ended('closed')));
    // Followed by `close`: a frame that is too large or malformed, or a lost connection.
    socket.on('error', () => this.#guarded(() => this.ended('error')));
    this.#checking = setInterval(() => this.#guarded(() => this.#check()), checkMs);
    this.#checking.unref();
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN && this.#end === undefined;
  }

  listen(events: Events): void {
    if (this.#events !== undefined) throw new Error('a stream is listened to once');
    this.#events = events;
    for (const tell of this.#early.splice(0)) this.#guarded(() => tell(events));
  }

  send(message: string): void {
    if (!this.isOpen) return;
    if (this.#socket.bufferedAmount > maxBuffered) this.#breakOff();
    else this.#socket.send(message);
  }

  /** Reads nothing until `resume`, so that the carrier has to wait. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#isAlive = true;
    this.#socket.resume();
  }

  /** Repeating it changes nothing. @param withinMs for how long the carrier may take to close its side */
  close(withinMs: number): void {
    this.#stopChecking();
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.close(1000);
    this.terminateIn(withinMs);
  }

  terminateIn(ms: number): void {
    this.#stopChecking();
    setTimeout(() => this.#socket.terminate(), ms).unref();
  }

  /** Nothing is told after it. */
  ended(reason: EndReason): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#stopChecking();
    const tell = (events: Events) => events.ended(reason);
    if (this.#events === undefined) this.#early.push(tell);
    else tell(this.#events);
  }

  #read(data: Buffer, isBinary: boolean): void {
    this.#heardOf();
    if (this.#end !== undefined) return;
    const tell = isBinary ? undefined : this.#options.read(data);
    if (tell === undefined) {
      this.#malformed += 1;
      if (this.#malformed > maxMalformed) this.#breakOff();
    } else if (this.#events !== undefined) tell(this.#events);
    else if (this.#early.push(tell) > maxEarly) this.#breakOff();
  }

  #heardOf(): void {
    this.#isAlive = true;
  }

  /** A connection that was lost without a sign is found by nothing else. */
  #check(): void {
    // What is not read may have come.
    if (this.#socket.isPaused) return;
    if (!this.#isAlive) {
      this.#breakOff();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }

  #breakOff(): void {
    this.ended('error');
    this.#socket.terminate();
  }

  #stopChecking(): void {
    clearInterval(this.#checking);
  }

  /** What a listener of a socket throws would leave it without messages, and open. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onFailure(error);
      this.#end ??= 'error';
      this.#stopChecking();
      this.#socket.terminate();
    }
  }
}
