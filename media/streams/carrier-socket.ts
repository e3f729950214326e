import type { RawData, WebSocket } from 'ws';
import type { CarrierStream, CarrierStreamEvents } from '../bridge/ports.js';
import { type CarrierMessage, readCarrierMessage } from './carrier-messages.js';

type Start = Extract<CarrierMessage, { event: 'start' }>;
type EndReason = Parameters<CarrierStreamEvents['ended']>[0];

/** A carrier that takes no more than this does not read. */
const mostBuffered = 2 * 1_024 * 1_024;
/** Events before anyone listens: 20 seconds of audio. */
const mostEarly = 1_000;
/** Messages that are none of the protocol, before the peer is taken for no carrier. */
const mostMalformed = 50;
/** A carrier sends frames all the time, and answers pings. */
const checkMs = 10_000;
const closeWithinMs = 5_000;

export interface CarrierSocketOptions {
  /** Called for what a listener throws; the stream has ended then. */
  onFailure: (error: unknown) => void;
}

/** The carrier's stream of one call on a WebSocket, from its `start`. */
export class CarrierSocket implements CarrierStream {
  readonly streamId: string;
  readonly carrierCallId: string;
  readonly #socket: WebSocket;
  readonly #onFailure: (error: unknown) => void;
  /** What messages to the carrier begin with. */
  readonly #prefix: { media: string; mark: string; clear: string };
  readonly #checking: NodeJS.Timeout;
  #events: CarrierStreamEvents | undefined;
  /** Events that came before anyone listened. */
  #early: ((events: CarrierStreamEvents) => void)[] = [];
  #malformed = 0;
  #isAlive = true;
  #end: EndReason | undefined;

  constructor(socket: WebSocket, { streamId, carrierCallId }: Start, { onFailure }: CarrierSocketOptions) {
    this.#socket = socket;
    this.streamId = streamId;
    this.carrierCallId = carrierCallId;
    this.#onFailure = onFailure;
    const of = (event: string) => `{"event":"${event}","streamSid":${JSON.stringify(streamId)}`;
    this.#prefix = {
      media: `${of('media')},"media":{"payload":`,
      mark: `${of('mark')},"mark":{"name":`,
      clear: `${of('clear')}}`,
    };
    socket.on('message', (data, isBinary) => this.#guarded(() => this.#read(data, isBinary)));
    socket.on('pong', () => this.#heardOf());
    socket.on('close', () => this.#guarded(() => this.#ended('closed')));
    // Followed by `close`: a frame that is too large or malformed, or a lost connection.
    socket.on('error', () => this.#guarded(() => this.#ended('error')));
    this.#checking = setInterval(() => this.#guarded(() => this.#check()), checkMs);
    this.#checking.unref();
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  listen(events: CarrierStreamEvents): void {
    if (this.#events !== undefined) throw new Error('a stream is listened to once');
    this.#events = events;
    for (const tell of this.#early.splice(0)) this.#guarded(() => tell(events));
  }

  sendAudio(payload: string): void {
    this.#send(`${this.#prefix.media}${JSON.stringify(payload)}}}`);
  }

  sendMark(name: string): void {
    this.#send(`${this.#prefix.mark}${JSON.stringify(name)}}}`);
  }

  clear(): void {
    this.#send(this.#prefix.clear);
  }

  /** Reads nothing until `resume`, so that the carrier has to wait. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#isAlive = true;
    this.#socket.resume();
  }

  /** The carrier goes on with the call: the next verb of what it was told. Repeating it changes nothing. */
  close(): void {
    clearInterval(this.#checking);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.close(1000);
    setTimeout(() => this.#socket.terminate(), closeWithinMs).unref();
  }

  #read(data: RawData, isBinary: boolean): void {
    this.#heardOf();
    if (this.#end !== undefined) return;
    const message = isBinary ? undefined : readCarrierMessage(String(data));
    if (message === undefined || ('streamId' in message && message.streamId !== this.streamId)) {
      this.#malformed += 1;
      if (this.#malformed > mostMalformed) this.#breakOff();
      return;
    }
    const { event } = message;
    if (event === 'media') this.#tell(({ audio }) => audio(message.payload, message.timestampMs));
    else if (event === 'dtmf') this.#tell(({ key }) => key(message.digit));
    else if (event === 'mark') this.#tell(({ marked }) => marked(message.name));
    else if (event === 'stop') this.#ended('stop');
  }

  #tell(tell: (events: CarrierStreamEvents) => void): void {
    if (this.#events !== undefined) tell(this.#events);
    else if (this.#early.push(tell) > mostEarly) this.#breakOff();
  }

  #send(message: string): void {
    const { readyState, OPEN, bufferedAmount } = this.#socket;
    if (readyState !== OPEN || this.#end !== undefined) return;
    if (bufferedAmount > mostBuffered) this.#breakOff();
    else this.#socket.send(message);
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
    this.#ended('error');
    this.#socket.terminate();
  }

  #ended(reason: EndReason): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    clearInterval(this.#checking);
    const tell = ({ ended }: CarrierStreamEvents) => ended(reason);
    if (this.#events === undefined) this.#early.push(tell);
    else tell(this.#events);
  }

  /** What a listener of a socket throws would leave it without messages, and open. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onFailure(error);
      this.#end ??= 'error';
      clearInterval(this.#checking);
      this.#socket.terminate();
    }
  }
}
