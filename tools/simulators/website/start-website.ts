import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { KnobSet } from '../support/knobs.js';
import { objectWith } from '../support/read-json.js';
import { HttpFailure, type Route, type RunningSimulator, serve } from '../support/serve.js';
import { clinicPages, type SitePage, trapPage } from './pages.js';

const Knobs = Type.Object({
  /** What is answered: the pages; nothing, the connection is cut; half of a page; nothing until the client gives up; or that it is busy. */
  answer: Type.Enum(['pages', 'cut', 'half', 'silence', 'busy']),
  /** The next so many requests are answered like this; 0: all. */
  count: Type.Integer({ minimum: 0 }),
  /** Requests before that are answered with pages. */
  after: Type.Integer({ minimum: 0 }),
  /** Of the answer that it is busy. */
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  retryAfter: Type.Union([Type.String(), Type.Null()]),
  latencyMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
  /** Only requests for these paths; empty: all. */
  paths: Type.Array(Type.String()),
});
type Knobs = Static<typeof Knobs>;

const Page = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  type: Type.Optional(Type.String()),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.String()),
});

const usual: Knobs = {
  answer: 'pages',
  count: 0,
  after: 0,
  status: 503,
  retryAfter: null,
  latencyMs: 0,
  paths: [],
};

/** A request that the site has got. */
export interface SiteRequest {
  path: string;
  status: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
  userAgent: string;
}

export interface RunningWebsite extends RunningSimulator {
  /** Where the site itself is. */
  site: string;
}

/** Starts the site of a clinic, which a program reads over HTTP, with faults and traps; see `tools/simulators/README.md`. */
export async function startWebsite({
  port,
  sitePort = 0,
  host = '127.0.0.1',
}: {
  port: number;
  sitePort?: number;
  host?: string;
}): Promise<RunningWebsite> {
  let pages = clinicPages();
  const knobs = new KnobSet(Knobs, usual);
  let requests: SiteRequest[] = [];
  let underWay = 0;
  let maxAtOnce = 0;

  const server = http.createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    underWay += 1;
    maxAtOnce = Math.max(maxAtOnce, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    const url = new URL(request.url ?? '/', 'http://site');
    const path = `${url.pathname}${url.search}`;
    const fault = faultFor(url.pathname);
    const note = (status: number) => {
      requests.push({ path, status, at: Date.now(), userAgent: request.headers['user-agent'] ?? '' });
    };
    if (knobs.now.latencyMs > 0) await delay(knobs.now.latencyMs);
    if (fault === 'cut' || fault === 'silence') {
      note(0);
      if (fault === 'cut') request.socket.destroy();
      return;
    }
    if (fault === 'busy') {
      note(knobs.now.status);
      response.writeHead(
        knobs.now.status,
        knobs.now.retryAfter === null ? {} : { 'retry-after': knobs.now.retryAfter },
      );
      response.end();
      return;
    }
    const page =
      pages[path] ?? pages[url.pathname] ?? trapPage(url.pathname, url.searchParams) ?? sitemap(url.pathname);
    const { status, headers, body } = answerOf(page, request.headers['if-none-match']);
    note(status);
    response.writeHead(status, headers);
    if (fault !== 'half') response.end(body);
    else response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
  }

  /** The fault that a request meets, which is one of the next ones. */
  function faultFor(pathname: string): Knobs['answer'] {
    const { answer: kind, paths, after, count } = knobs.now;
    if (kind === 'pages' || (paths.length > 0 && !paths.includes(pathname))) return 'pages';
    if (after > 0) {
      knobs.now = { ...knobs.now, after: after - 1 };
      return 'pages';
    }
    if (count === 1) knobs.now = { ...knobs.now, answer: 'pages', count: 0 };
    else if (count > 1) knobs.now = { ...knobs.now, count: count - 1 };
    return kind;
  }

  /** An index that leads to a compressed sitemap, and to one at another host. */
  function sitemap(pathname: string): SitePage | undefined {
    const index = ['/sitemap-pages.xml.gz', 'http://127.0.0.2/sitemap.xml'].map(
      (loc) => `<sitemap><loc>${loc}</loc></sitemap>`,
    );
    if (pathname === '/sitemap.xml')
      return { type: 'application/xml', body: `<sitemapindex>${index.join('')}</sitemapindex>` };
    if (pathname !== '/sitemap-pages.xml.gz') return undefined;
    const urls = ['/news', '/about', 'http://127.0.0.2/elsewhere'].map(
      (loc) => `<url><loc>${loc}</loc></url>`,
    );
    return { type: 'application/gzip', body: `<?xml version="1.0"?><urlset>${urls.join('')}</urlset>` };
  }

  const routes: Route[] = [
    [
      'PUT',
      '/pages',
      (request) => {
        const { path, page } = objectWith(request.json(), ['path', 'page']);
        if (typeof path !== 'string' || !path.startsWith('/') || !(page === null || Check(Page, page))) {
          throw new HttpFailure(400, {
            error: 'path has to begin with a slash, and page to be a page or null.',
          });
        }
        pages = { ...pages, [path]: page ?? { status: 404, body: 'Not found' } };
        return { status: 204 };
      },
    ],
    ['GET', '/requests', () => ({ body: { requests, maxAtOnce } })],
    [
      'DELETE',
      '/requests',
      () => {
        requests = [];
        maxAtOnce = 0;
        return { status: 204 };
      },
    ],
    ...knobs.routes(),
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'website' } })],
  ];
  server.listen(sitePort, host);
  await once(server, 'listening');
  const control = await serve(routes, port, host);
  return {
    url: control.url,
    site: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await control.close();
    },
  };
}

function answerOf(
  page: SitePage | undefined,
  known: string | undefined,
): { status: number; headers: Record<string, string>; body: Buffer } {
  if (page === undefined)
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.from('Not found') };
  const { status = 200, type = 'text/html; charset=utf-8', headers = {}, body = '' } = page;
  const bytes = type === 'application/gzip' ? gzipSync(body) : Buffer.from(body);
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
  if (status === 200 && known === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) };
  const told = {
    'content-type': type,
    'content-length': String(bytes.length),
    ...(status === 200 ? { etag } : {}),
    ...headers,
  };
  return { status, headers: told, body: bytes };
}
