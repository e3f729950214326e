import http, { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Agents } from './keep-alive-agents.js';
import type { WebhookTarget } from './webhook-url.js';

interface ExchangeInput {
  method: string;
  target: WebhookTarget;
  agents: Agents;
  headers: OutgoingHttpHeaders;
  /** Undefined: the request has no body. */
  body: string | undefined;
  retainBytes: number;
  /** Aborts the exchange at any point. */
  signal: AbortSignal;
}

export type Exchanged =
  | {
      answered: true;
      statusCode: number;
      retryAfter: string | undefined;
      contentType: string | undefined;
      /** Whether the body came to its end. */
      isComplete: boolean;
      /** Whether the body is encoded (gzip), so that its text is empty. */
      isEncoded: boolean;
      body: string;
    }
  | {
      answered: false;
      error: unknown;
      /** Whether the request was sent on a reused connection and nothing came back. */
      wentStale: boolean;
      /** Whether the request, or a part of it, may have reached the receiver. */
      mayHaveArrived: boolean;
    };

/** The response is not HTTP, or too large. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** Limits of one response: its headers, and all of its bytes. */
const maxHeadersLength = 16 * 1024;
const maxRead = maxHeadersLength + 64 * 1024;

/**
 * Sends one request and reads the response up to a limit, after which the connection is cut. A receiver has answered
 * once its headers are here: errors in the body do not change the outcome.
 */
export function exchange(input: ExchangeInput): Promise<Exchanged> {
  return new Promise((resolve) => {
    const request = send(input);
    const beginning = new BodyPrefix(input.retainBytes);
    let socket: Socket | undefined;
    let isConnected = false;
    let response: IncomingMessage | undefined;
    let read = 0;

    const count = (chunk: Buffer) => {
      read += chunk.length;
      if (read > maxRead) request.destroy(new UnreadableAnswer());
    };
    const stop = () => request.destroy(input.signal.reason);
    const settle = (error?: unknown) => {
      input.signal.removeEventListener('abort', stop);
      socket?.off('data', count);
      if (response?.statusCode === undefined) {
        const wentStale = request.reusedSocket && read === 0;
        resolve({ answered: false, error, wentStale, mayHaveArrived: isConnected });
        return;
      }
      // A receiver that answers without reading the request might never read it.
      if (!request.writableFinished) request.destroy();
      resolve({
        answered: true,
        statusCode: response.statusCode,
        retryAfter: response.headers['retry-after'],
        contentType: response.headers['content-type'],
        isComplete: response.complete,
        isEncoded: isEncoded(response.headers),
        body: beginning.text(response.headers),
      });
    };

    input.signal.addEventListener('abort', stop);
    if (input.signal.aborted) stop();
    request.on('socket', (used) => {
      // Must run before the parser, which ends the connection if the response is not HTTP.
      socket = used.prependListener('data', count);
      const connected = () => {
        isConnected = true;
      };
      if (used instanceof TLSSocket) used.once('secureConnect', connected);
      else used.once('connect', connected);
      if (request.reusedSocket) connected();
    });
    request.on('response', (incoming) => {
      response = incoming;
      incoming.on('data', (chunk: Buffer) => beginning.add(chunk));
      incoming.on('end', settle).on('error', settle).on('close', settle);
    });
    request.on('error', settle).on('close', () => {
      if (response === undefined) settle(new UnreadableAnswer());
    });
    request.end(input.body);
  });
}

function send({ method, target, agents, headers }: ExchangeInput): http.ClientRequest {
  const { secure, hostname, port, path } = target;
  const options = { method, host: hostname, port, path, headers, maxHeaderSize: maxHeadersLength };
  return secure
    ? https.request({ ...options, agent: agents.secure })
    : http.request({ ...options, agent: agents.plain });
}

function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding !== '' && encoding !== 'identity';
}

class BodyPrefix {
  readonly #chunks: Buffer[] = [];
  #wanted: number;

  constructor(bytes: number) {
    this.#wanted = bytes;
  }

  add(chunk: Buffer): void {
    if (this.#wanted === 0) return;
    // A copy, because a slice would keep the whole chunk in memory.
    const kept = Buffer.from(chunk.subarray(0, this.#wanted));
    this.#wanted -= kept.length;
    this.#chunks.push(kept);
  }

  /**
   * Returns the beginning as text that PostgreSQL accepts: invalid UTF-8 and NUL become U+FFFD. An encoded body is not
   * decoded, because a few bytes could expand to many; its text is empty.
   */
  text(headers: IncomingHttpHeaders): string {
    if (isEncoded(headers)) return '';
    // Decoded as a stream, so that a character cut off at the end is left out.
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
    return text.replaceAll('\0', '\ufffd');
  }
}
