import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface SimulatorRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  url: string;
  text: string;
  bytes: Buffer;
  /** The body as JSON; an empty one is `{}`. */
  json(): unknown;
  form(): URLSearchParams;
  /** As it came; its body has been read. */
  incoming: http.IncomingMessage;
  /** For handlers that stream or abort the response. */
  response: http.ServerResponse;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A handler that returns nothing has written to `request.response` itself. */
export type Handler = (request: SimulatorRequest) => Promise<Reply | undefined> | Reply | undefined;
export type Route = readonly [method: string, path: string, handler: Handler];

export interface RunningSimulator {
  url: string;
  close(): Promise<void>;
}

/** Makes the request fail with this status; `body` is the error body of the simulated service. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(`HTTP ${status}`);
  }
}

const BODY_LIMIT = 20 * 1024 * 1024;

/** Takes over the connection of a WebSocket. */
export type Upgrade = (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Serves the routes, and at `/` a list of their paths, on loopback (or `host`) until closed. Port 0 selects a free port. */
export async function serve(
  routes: readonly Route[],
  port: number,
  host = '127.0.0.1',
  upgrade?: Upgrade,
): Promise<RunningSimulator> {
  const paths = routes.map(([method, path]) => `${method} ${path}`);
  const overview: Route = ['GET', '/', () => ({ body: { paths, guide: 'tools/simulators/README.md' } })];
  const table = [overview, ...routes].map(([method, path, handler]) => ({
    method,
    pattern: pathPattern(path),
    handler,
  }));
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://simulator');
    const matches = table.filter(({ pattern }) => pattern.test(url.pathname));
    const route = matches.find(({ method }) => method === request.method);
    if (route !== undefined) answer(request, response, url, route);
    else
      send(response, { status: matches.length > 0 ? 405 : 404, body: { error: 'No such path or method.' } });
  });

  if (upgrade !== undefined) server.on('upgrade', upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function afterIn(query: URLSearchParams): number {
  return Number(query.get('after') ?? 0);
}

export function noContent(change: () => void): Reply {
  change();
  return { status: 204 };
}

export function openEventStream(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

async function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  url: URL,
  { pattern, handler }: { pattern: RegExp; handler: Handler },
): Promise<void> {
  try {
    const params = paramsIn(pattern, url.pathname);
    const bytes = await readBody(request);
    const text = bytes.toString('utf8');
    const reply = await handler({
      params,
      query: url.searchParams,
      headers: request.headers,
      url: request.url ?? '/',
      text,
      bytes,
      json: () => parseJson(text),
      form: () => new URLSearchParams(text),
      incoming: request,
      response,
    });
    if (reply !== undefined) send(response, reply);
  } catch (error) {
    if (error instanceof HttpFailure) send(response, error);
    else if (response.headersSent) response.destroy();
    else send(response, { status: 500, body: { error: 'The simulator failed.' } });
  }
}

function send(response: http.ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
}

function paramsIn(pattern: RegExp, path: string): Record<string, string> {
  const groups = Object.entries(pattern.exec(path)?.groups ?? {});
  try {
    return Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new HttpFailure(400, { error: 'The path is not well encoded.' });
  }
}

async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new HttpFailure(413, { error: 'The body is too large.' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpFailure(400, { error: 'The body is not JSON.' });
  }
}

/** Converts `/a/{b}.json` to a pattern with a group named `b`. */
function pathPattern(path: string): RegExp {
  const source = path
    .split(/(\{\w+\})/)
    .map((part) =>
      /^\{\w+\}$/.test(part) ? `(?<${part.slice(1, -1)}>[^/]+?)` : part.replace(/[.+]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`);
}
