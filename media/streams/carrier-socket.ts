import type { WebSocket } from 'ws';
import type { CarrierStream, CarrierStreamEvents } from '../bridge/ports.js';
import { CarrierConnection } from './carrier-connection.js';
import { type CarrierMessage, readCarrierMessage, readUsualFrame } from './carrier-messages.js';

type Start = Pick<Extract<CarrierMessage, { event: 'start' }>, 'streamId' | 'carrierCallId'>;

const closeWithinMs = 5_000;

export interface CarrierSocketOptions {
  /** Called for what a listener throws; the stream has ended then. */
  onFailure: (error: unknown) => void;
}

/** The carrier's stream of one call on a WebSocket, from its `start`. */
export class CarrierSocket implements CarrierStream {
  readonly streamId: string;
  readonly carrierCallId: string;
  readonly #connection: CarrierConnection<CarrierStreamEvents>;
  /** What messages to the carrier begin with. */
  readonly #prefix: { media: string; mark: string; clear: string };

  constructor(socket: WebSocket, { streamId, carrierCallId }: Start, { onFailure }: CarrierSocketOptions) {
    this.streamId = streamId;
    this.carrierCallId = carrierCallId;
    this.#connection = new CarrierConnection(socket, { read: (data) => this.#read(data), onFailure });
    const of = (event: string) => `{"event":"${event}","streamSid":${JSON.stringify(streamId)}`;
    this.#prefix = {
      media: `${of('media')},"media":{"payload":`,
      mark: `${of('mark')},"mark":{"name":`,
      clear: `${of('clear')}}`,
    };
  }

  get bufferedBytes(): number {
    return this.#connection.bufferedBytes;
  }

  listen(events: CarrierStreamEvents): void {
    this.#connection.listen(events);
  }

  sendAudio(payload: string): void {
    this.#connection.send(`${this.#prefix.media}${JSON.stringify(payload)}}}`);
  }

  sendMark(name: string): void {
    this.#connection.send(`${this.#prefix.mark}${JSON.stringify(name)}}}`);
  }

  clear(): void {
    this.#connection.send(this.#prefix.clear);
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  /** The carrier goes on with the call: the next verb of what it was told. Repeating it changes nothing. */
  close(): void {
    this.#connection.close(closeWithinMs);
  }

  #read(data: Buffer): ((events: CarrierStreamEvents) => void) | undefined {
    const message = readUsualFrame(data) ?? readCarrierMessage(data.toString());
    if (message === undefined || ('streamId' in message && message.streamId !== this.streamId))
      return undefined;
    switch (message.event) {
      case 'media':
        return ({ audio }) => audio(message.payload, message.timestampMs);
      case 'dtmf':
        return ({ key }) => key(message.digit);
      case 'mark':
        return ({ marked }) => marked(message.name);
      case 'stop':
        this.#connection.ended('stop');
        return () => undefined;
      default:
        return () => undefined;
    }
  }
}
