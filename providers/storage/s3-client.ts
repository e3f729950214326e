import { open } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import aws4 from 'aws4';
import { connectionAgents } from '../connection-agents.js';
import { connectionFailure, s3Failure } from './s3-failures.js';
import type { Spooled } from './storage.js';

export interface S3Settings {
  /** `https://` or `http://`, host and port. Buckets are addressed by path. */
  endpoint: string;
  region: string;
  bucket: string;
  keyId: string;
  secret: string;
  connectTimeoutMs?: number;
  /** The longest silence of the server while an answer is awaited. */
  idleTimeoutMs?: number;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Absent: the bucket. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Spooled;
}

/** Servers close idle connections after five seconds and more. */
const keepIdleMs = 4_000;
const maxIdle = 16;
/** How long a server has to agree to the body; the ones that know no `Expect` say nothing. */
const continueMs = 1_000;
const sentAtOnce = 128 * 1024;
const maxErrorLength = 16 * 1024;
const maxListLength = 2 * 1024 * 1024;

/** Signed requests to one bucket, by `aws4` and Node's own client. Bodies come from the spool, so that nothing is buffered. */
export class S3Client {
  readonly #settings: S3Settings;
  readonly #endpoint: URL;
  readonly #agents: ReturnType<typeof connectionAgents>;
  readonly #idleTimeoutMs: number;

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#endpoint = new URL(settings.endpoint);
    this.#idleTimeoutMs = settings.idleTimeoutMs ?? 30_000;
    this.#agents = connectionAgents(settings.connectTimeoutMs ?? 5_000, {
      keepAlive: true,
      timeout: keepIdleMs,
      maxFreeSockets: maxIdle,
    });
  }

  /** The answer if it is a success; its body has to be read or destroyed. @throws the failures of `storage.ts` */
  async open(asked: S3Request): Promise<IncomingMessage> {
    let answer: IncomingMessage;
    let text: string;
    try {
      answer = await this.#send(asked);
      if (isSuccess(answer)) return answer;
      text = await readText(answer, maxErrorLength);
    } catch (error) {
      throw connectionFailure(error, asked.method, this.#agents.neverConnected(error));
    }
    const refusal = {
      status: answer.statusCode ?? 0,
      code: /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(text)?.[1],
      retryAfter: answer.headers['retry-after'],
    };
    throw s3Failure(refusal, asked.method);
  }

  /** The text of the answer. */
  async request(asked: S3Request): Promise<{ headers: http.IncomingHttpHeaders; text: string }> {
    const answer = await this.open(asked);
    try {
      return { headers: answer.headers, text: await readText(answer, maxListLength) };
    } catch (error) {
      throw connectionFailure(error, asked.method);
    }
  }

  /** An address that needs no other credential. @param endpoint where clients reach the bucket */
  sign(key: string, endpoint: string, query: Readonly<Record<string, string>>): string {
    const url = new URL(endpoint);
    const { path } = this.#signed(url, { method: 'GET', key, query }, true);
    return `${url.origin}${path}`;
  }

  #signed(endpoint: URL, { method, key, query = {}, headers = {}, body }: S3Request, signQuery = false) {
    const { bucket, region, keyId, secret } = this.#settings;
    const prefix = endpoint.pathname.replace(/\/$/, '');
    const request = {
      service: 's3',
      region,
      method,
      path: `${prefix}/${bucket}${key === undefined ? '' : `/${key}`}${queryText(query)}`,
      headers: {
        ...headers,
        Host: endpoint.host,
        ...(body !== undefined && {
          'Content-Length': String(body.bytes),
          'X-Amz-Content-Sha256': body.sha256,
          Expect: '100-continue',
        }),
      },
      signQuery,
    };
    return aws4.sign(request, { accessKeyId: keyId, secretAccessKey: secret });
  }

  #send(asked: S3Request): Promise<IncomingMessage> {
    const { protocol, hostname, port } = this.#endpoint;
    const { method, path, headers } = this.#signed(this.#endpoint, asked);
    const isSecure = protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).request({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: String(method),
        path: String(path),
        headers: headers as http.OutgoingHttpHeaders,
        agent: isSecure ? this.#agents.https : this.#agents.http,
      });
      request.once('response', resolve);
      request.on('error', reject);
      this.#endSilence(request);
      if (asked.body === undefined) request.end();
      else sendBody(request, asked.body.path);
    });
  }

  /** Ends a request when the server is silent; a reader that takes its time is not the server's silence. */
  #endSilence(request: http.ClientRequest): void {
    let answer: IncomingMessage | undefined;
    request.once('response', (arrived) => {
      answer = arrived;
    });
    request.setTimeout(this.#idleTimeoutMs);
    request.on('timeout', () => {
      if (answer !== undefined && answer.readableLength > 0) request.socket?.setTimeout(this.#idleTimeoutMs);
      else (answer ?? request).destroy(new Silence());
    });
  }
}

class Silence extends Error {
  readonly code = 'TIMEOUT';
}

/** Sends the body once the server agrees, so that a refusal is read instead of a broken connection. */
function sendBody(request: http.ClientRequest, path: string): void {
  let isSent = false;
  const send = () => {
    if (isSent || request.destroyed) return;
    isSent = true;
    clearTimeout(silent);
    // An error of the file ends the request, and one of the request is told by the request.
    sendFile(request, path).catch((error) => request.destroy(error));
  };
  const silent = setTimeout(send, continueMs);
  request.once('continue', send);
  request.once('response', () => {
    clearTimeout(silent);
    if (isSent) return;
    // The body is refused, and the connection still expects it.
    request.shouldKeepAlive = false;
    request.end();
  });
  request.once('close', () => clearTimeout(silent));
  request.flushHeaders();
}

/** Through one buffer: a stream of the file would allocate one for each part, which are freed late. */
async function sendFile(request: http.ClientRequest, path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(sentAtOnce);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      await new Promise<void>((resolve, reject) => {
        request.once('close', resolve);
        request.write(buffer.subarray(0, bytesRead), (error) => {
          request.off('close', resolve);
          if (error) reject(error);
          else resolve();
        });
      });
      if (request.destroyed) return;
    }
    request.end();
  } finally {
    await file.close();
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The beginning of a body; what is longer is not awaited. */
async function readText(answer: IncomingMessage, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= max) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
