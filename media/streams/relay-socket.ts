import type { WebSocket } from 'ws';
import type { RelayEvents, RelayLine } from '../relay/ports.js';
import { PromptParts } from '../relay/prompt-parts.js';
import { endMessage, type RelayMessage, readRelayMessage, textMessage } from '../relay/relay-messages.js';
import { CarrierConnection } from './carrier-connection.js';
import type { CarrierSocketOptions } from './carrier-socket.js';

type Setup = Pick<Extract<RelayMessage, { type: 'setup' }>, 'streamId' | 'carrierCallId'>;

const closeWithinMs = 5_000;

/** The carrier's session of text of one call on a WebSocket, from its `setup`. */
export class RelaySocket implements RelayLine {
  readonly streamId: string;
  readonly carrierCallId: string;
  readonly #connection: CarrierConnection<RelayEvents>;
  readonly #prompt = new PromptParts();
  #hasEnded = false;

  constructor(socket: WebSocket, { streamId, carrierCallId }: Setup, { onFailure }: CarrierSocketOptions) {
    this.streamId = streamId;
    this.carrierCallId = carrierCallId;
    this.#connection = new CarrierConnection(socket, {
      read: (data) => this.#read(data.toString()),
      onFailure,
    });
  }

  listen(events: RelayEvents): void {
    this.#connection.listen(events);
  }

  say(text: string, isLast: boolean): void {
    if (!this.#hasEnded) this.#connection.send(textMessage(text, isLast));
  }

  /** The carrier closes the socket, and asks what follows. Repeating it changes nothing. */
  close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#connection.send(endMessage);
    this.#connection.terminateIn(closeWithinMs);
  }

  #read(text: string): ((events: RelayEvents) => void) | undefined {
    const message = readRelayMessage(text);
    switch (message?.type) {
      case undefined:
        return undefined;
      case 'prompt': {
        const said = this.#prompt.add(message.text, message.isLast);
        return said === undefined ? () => undefined : (events) => events.said(said);
      }
      case 'dtmf':
        return ({ key }) => key(message.digit);
      case 'interrupt':
        return ({ interrupted }) => interrupted(message);
      case 'speaking':
        return ({ speaking }) => speaking(message.who, message.isOn);
      case 'error':
        return ({ refused }) => refused();
      default:
        return () => undefined;
    }
  }
}
