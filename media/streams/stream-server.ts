import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type RelayMessage, readRelayMessage } from '../relay/relay-messages.js';
import { type CarrierMessage, readCarrierMessage } from './carrier-messages.js';
import { CarrierSocket } from './carrier-socket.js';
import { RelaySocket } from './relay-socket.js';

export const streamPath = '/api/v2/call-streams';

/** Frames of a carrier have some hundred bytes. */
const maxFrameBytes = 64 * 1_024;
const headersWithinMs = 10_000;
/** Connections that are no sockets: requests that are being refused. */
const maxOthers = 500;

export type StreamStart = Extract<CarrierMessage, { event: 'start' }>;
export type RelaySetup = Extract<RelayMessage, { type: 'setup' }>;

/** Why no stream begins: before the upgrade, or after it. */
export type StreamRefusal =
  | 'unknown_path'
  | 'draining'
  | 'foreign_origin'
  | 'too_many_sockets'
  | 'invalid_signature'
  | 'no_start'
  | 'unplayable'
  | 'process_full'
  | 'closed_early';

export interface StreamServerOptions {
  /** The public address of this server, such as `wss://media.example.com`, which the carrier's signature covers. */
  publicUrl: string;
  /** Undefined: no request is the carrier's. */
  carrier:
    | {
        verifySignature(request: { signature: string; url: string; params: Record<string, string> }): boolean;
      }
    | undefined;
  /** How many sockets there may be, how many of them without a `start`, and for how long. */
  limits: { sockets: number; beforeStart: number; startWithinMs: number };
  /** Whether there is a place for another call. */
  mayBegin(): boolean;
  /** Takes over the stream, and closes it if it is not wanted. */
  admit(start: StreamStart, stream: CarrierSocket): void;
  /** The same for a session of text. */
  admitText(setup: RelaySetup, line: RelaySocket): void;
  onRefused(reason: StreamRefusal): void;
  /** What a listener of a stream has thrown. */
  onFailure(error: unknown): void;
}

const statuses: Partial<Record<StreamRefusal, string>> = {
  unknown_path: '404 Not Found',
  draining: '503 Service Unavailable',
  foreign_origin: '403 Forbidden',
  too_many_sockets: '503 Service Unavailable',
  invalid_signature: '401 Unauthorized',
};

/**
 * The server of the carrier's streams. A stream has a socket for itself after all checks that need no database: the path,
 * how many there are, the origin and the carrier's signature; and is admitted with its `start`, which comes in time. A session of
 * text comes on the same path, and begins with its `setup`.
 */
export class StreamServer {
  readonly #options: StreamServerOptions;
  readonly #url: string;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #beforeStart = new Set<WebSocket>();
  #isDraining = false;

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#url = `${options.publicUrl}${streamPath}`;
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: true,
      perMessageDeflate: false,
      maxPayload: maxFrameBytes,
    });
    this.#http = createServer((_, response) => response.writeHead(404, { Connection: 'close' }).end());
    this.#http.headersTimeout = headersWithinMs;
    this.#http.requestTimeout = headersWithinMs;
    this.#http.maxConnections = options.limits.sockets + maxOthers;
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    // The answer of Node.js would be a 400 with a body; nobody is to read it.
    this.#http.on('clientError', (_, socket) => socket.destroy());
  }

  /** The sockets that are open. */
  get size(): number {
    return this.#sockets.clients.size;
  }

  /** @returns the port. @throws the error of the system */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, () => {
        const address = this.#http.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /** From now on no stream begins. Those that have begun go on. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of this.#beforeStart) socket.close(1001);
  }

  /** Ends what is left. */
  async close(): Promise<void> {
    this.drain();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const reason = this.#refusal(request);
    if (reason !== undefined) {
      this.#options.onRefused(reason);
      socket.once('finish', () => socket.destroy());
      socket.end(`HTTP/1.1 ${statuses[reason]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (upgraded) => this.#awaitStart(upgraded));
  }

  #refusal({ url, headers }: IncomingMessage): StreamRefusal | undefined {
    const { limits, carrier } = this.#options;
    if (url !== streamPath) return 'unknown_path';
    if (this.#isDraining) return 'draining';
    // A carrier is no browser. A page of another site could otherwise use what a browser holds.
    if (headers.origin !== undefined) return 'foreign_origin';
    if (this.size >= limits.sockets || this.#beforeStart.size >= limits.beforeStart)
      return 'too_many_sockets';
    const signature = headers['x-twilio-signature'];
    if (typeof signature !== 'string') return 'invalid_signature';
    const isSigned = carrier?.verifySignature({ signature, url: this.#url, params: {} }) ?? false;
    return isSigned ? undefined : 'invalid_signature';
  }

  #awaitStart(socket: WebSocket): void {
    const { limits, onRefused } = this.#options;
    this.#beforeStart.add(socket);
    // Other listeners of the socket are those of the server.
    const onMessage = (data: RawData, isBinary: boolean): void => read(isBinary ? '' : String(data));
    const onClose = () => refuse('closed_early');
    const settle = (): void => {
      this.#beforeStart.delete(socket);
      clearTimeout(timer);
      socket.off('message', onMessage).off('close', onClose);
    };
    const refuse = (reason: StreamRefusal): void => {
      settle();
      onRefused(reason);
      socket.close(1008);
      setTimeout(() => socket.terminate(), limits.startWithinMs).unref();
    };
    const read = (text: string): void => {
      const start = readBeginning(text);
      if (start === 'connected') return;
      if (start === undefined) refuse('no_start');
      else if ('isPlayable' in start && !start.isPlayable) refuse('unplayable');
      else if (!this.#options.mayBegin()) refuse('process_full');
      else {
        settle();
        this.#begin(socket, start);
      }
    };
    const timer = setTimeout(() => refuse('no_start'), limits.startWithinMs);
    // Followed by `close`.
    socket.on('error', () => {});
    socket.on('message', onMessage).on('close', onClose);
  }

  #begin(socket: WebSocket, start: StreamStart | RelaySetup): void {
    const { admit, admitText, onFailure } = this.#options;
    if ('event' in start) {
      const stream = new CarrierSocket(socket, start, { onFailure });
      this.#admit(stream, () => admit(start, stream));
    } else {
      const line = new RelaySocket(socket, start, { onFailure });
      this.#admit(line, () => admitText(start, line));
    }
  }

  #admit(stream: { close(): void }, admit: () => void): void {
    try {
      admit();
    } catch (error) {
      this.#options.onFailure(error);
      stream.close();
    }
  }
}

/** Undefined: what came is no beginning. */
function readBeginning(text: string): StreamStart | RelaySetup | 'connected' | undefined {
  const message = readCarrierMessage(text) ?? readRelayMessage(text);
  if (message === undefined) return undefined;
  if ('event' in message) {
    if (message.event === 'connected') return 'connected';
    return message.event === 'start' ? message : undefined;
  }
  return message.type === 'setup' ? message : undefined;
}
