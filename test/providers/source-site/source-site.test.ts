import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type SourceRequest, SourceSites } from '../../../providers/source-site/source-site.js';
import { AddressPolicy } from '../../../providers/webhook/address-policy.js';
import { makeSelfSigned } from '../../support/webhooks/self-signed.js';
import { closedPort, startServer, startSilentServer, startSocketServer } from '../misbehaving-server.js';
import { startTlsReceiver } from '../webhook/receivers.js';

const addressesOf = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const names: Record<string, LookupAddress[]> = {
  'inside.example': addressesOf('10.0.0.7'),
  'metadata.example': addressesOf('169.254.169.254'),
  'half-inside.example': addressesOf('93.184.216.34', '192.168.0.1'),
  'inside-six.example': addressesOf('fd00::1'),
  'mapped.example': addressesOf('::ffff:10.0.0.1'),
};

const sourcesOf = (allowedNetworks: string[], requireHttps = false) =>
  new SourceSites(
    new AddressPolicy({ requireHttps, allowedNetworks, resolve: async (name) => names[name] ?? [] }),
  );
const local = sourcesOf(['127.0.0.0/8']);
const abroad = sourcesOf([]);

const ask = (url: string, more: Partial<SourceRequest> = {}, sources = local) =>
  sources.fetch({ url, maxBytes: 1_000, timeoutMs: 3_000, ...more });
const askServer = async (handler: RequestListener, more: Partial<SourceRequest> = {}) =>
  ask(`${await startServer(handler)}/page`, more);
const failed = (code: string) => ({ kind: 'failed', code });

describe('what a source answers', () => {
  it('is read with its type, its encoding and its validators', async () => {
    const answer = await askServer((_, response) => {
      response
        .writeHead(200, {
          'content-type': 'Text/HTML; a=b; Charset="ISO-8859-1"',
          etag: 'W/"1"',
          'last-modified': 'Fri, 27 Nov 2026 10:00:00 GMT',
        })
        .end('<p>Hello</p>');
    });
    expect(answer).toEqual({
      kind: 'answered',
      status: 200,
      contentType: 'text/html',
      charset: 'iso-8859-1',
      location: undefined,
      etag: 'W/"1"',
      lastModified: 'Fri, 27 Nov 2026 10:00:00 GMT',
      retryAfterMs: undefined,
      bytes: new Uint8Array(Buffer.from('<p>Hello</p>')),
    });
  });

  it('is asked for with the name of the crawler and the validators of the answer before, and with nothing that is a secret', async () => {
    let seen: object = {};
    const answer = await askServer(
      ({ headers }, response) => {
        seen = headers;
        response.writeHead(304).end();
      },
      { etag: '"1"', lastModified: 'Fri, 27 Nov 2026 10:00:00 GMT' },
    );
    expect(answer).toMatchObject({ kind: 'answered', status: 304, bytes: new Uint8Array() });
    expect(seen).toEqual({
      'user-agent': 'workspace-engagement-service (crawler)',
      accept: expect.stringContaining('text/html'),
      'accept-encoding': 'identity',
      'if-none-match': '"1"',
      'if-modified-since': 'Fri, 27 Nov 2026 10:00:00 GMT',
      host: expect.stringContaining('127.0.0.1'),
      connection: 'close',
    });
  });

  it('is a redirect that is not followed, wherever it leads', async () => {
    let requests = 0;
    const location = 'http://169.254.169.254/latest/meta-data/';
    const answer = await askServer((_, response) => {
      requests += 1;
      response.writeHead(302, { location }).end('moved');
    });
    expect(answer).toMatchObject({ kind: 'answered', status: 302, location, bytes: new Uint8Array() });
    expect(requests).toBe(1);
  });

  it('asks for patience in seconds', async () => {
    const answer = await askServer((_, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    expect(answer).toMatchObject({ status: 429, retryAfterMs: 7_000 });
  });

  it('has validators that are sent back, unless they are too long', async () => {
    const long = `"${'e'.repeat(600)}"`;
    const answer = await askServer((_, response) => response.writeHead(200, { etag: long }).end('x'));
    expect(answer).toMatchObject({ etag: undefined });
  });
});

describe('an answer without end', () => {
  it('is given up at its bound of bytes', async () => {
    const answer = await askServer((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(1_024)));
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    });
    expect(answer).toEqual(failed('too_large'));
  });

  it('is given up at its bound of time, though bytes go on coming', async () => {
    const answer = await askServer(
      (_, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
      { timeoutMs: 300 },
    );
    expect(answer).toEqual(failed('timed_out'));
  });

  it('is given up when the source says nothing', async () => {
    const answer = await ask(`http://127.0.0.1:${await startSilentServer()}/`, { timeoutMs: 300 });
    expect(answer).toEqual(failed('timed_out'));
  });

  it('has headers without end, and is unreadable', async () => {
    const port = await startSocketServer((socket) => {
      const more = () => {
        while (socket.write(`x-${'h'.repeat(1_000)}: 1\r\n`));
      };
      socket.on('drain', more);
      socket.write('HTTP/1.1 200 OK\r\n');
      more();
    });
    expect(await ask(`http://127.0.0.1:${port}/`)).toEqual(failed('unreadable'));
  });

  it('is not waited for when the crawl is stopped, and says so by an error', async () => {
    const stop = new AbortController();
    const port = await startSocketServer(() => stop.abort(new Error('the worker stops')));
    await expect(ask(`http://127.0.0.1:${port}/`, { signal: stop.signal })).rejects.toThrow(
      'the worker stops',
    );
  });
});

describe('a compressed answer', () => {
  const answering = (body: Buffer, headers = {}) =>
    askServer((_, response) => response.writeHead(200, headers).end(body));

  it('is read, though nobody has asked for compression', async () => {
    const answer = await answering(gzipSync('<p>Hello</p>'), { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({ kind: 'answered', bytes: Buffer.from('<p>Hello</p>') });
  });

  it('is given up at its bound of bytes, decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(500_000));
    expect(bomb.length).toBeLessThan(1_000);
    expect(await answering(bomb)).toEqual(failed('too_large'));
  });

  it('is unreadable if it is broken, or compressed otherwise', async () => {
    const half = gzipSync('a text that is long enough to be cut').subarray(0, 20);
    expect(await answering(half)).toEqual(failed('unreadable'));
    expect(await answering(deflateSync('x'), { 'content-encoding': 'deflate' })).toEqual(
      failed('unreadable'),
    );
  });
});

describe('an address that the service does not connect to', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0x7f.1/',
    'http://localhost:1/',
    'http://inside.example/',
    'http://metadata.example/',
    'http://half-inside.example/',
    'http://inside-six.example/',
    'http://mapped.example/',
  ])('%s is refused', async (url) => {
    expect(await ask(url, {}, abroad)).toEqual(failed('address_refused'));
  });

  it('has a name that leads nowhere', async () => {
    expect(await ask('http://nowhere.example/', {}, abroad)).toEqual(failed('dns_failed'));
  });

  it('is not one of https, where https is required', async () => {
    expect(await ask('http://93.184.216.34/', {}, sourcesOf([], true))).toEqual(failed('https_required'));
  });

  it('is refused by the look-up of the connection, whatever a look-up before has said', async () => {
    let lookUps = 0;
    const policy = new AddressPolicy({
      requireHttps: false,
      allowedNetworks: [],
      resolve: async () => addressesOf(lookUps++ === 0 ? '93.184.216.34' : '127.0.0.1'),
    });
    expect(await policy.check('http://rebinding.example/')).toBeUndefined();
    expect(await ask('http://rebinding.example:1/', {}, new SourceSites(policy))).toEqual(
      failed('address_refused'),
    );
  });
});

describe('a connection that fails', () => {
  it('is one by https to a source whose certificate nobody has signed, which hears nothing', async () => {
    let requests = 0;
    const port = await startTlsReceiver(makeSelfSigned(['localhost']), (_, response) => {
      requests += 1;
      response.end('secret');
    });
    expect(await ask(`https://localhost:${port}/`)).toEqual(failed('connection'));
    expect(requests).toBe(0);
  });

  it('is refused, cut, or cut in the middle of the answer', async () => {
    expect(await ask(`http://127.0.0.1:${await closedPort()}/`)).toEqual(failed('connection'));
    const cut = await startSocketServer((socket) => socket.destroy());
    expect(await ask(`http://127.0.0.1:${cut}/`)).toEqual(failed('connection'));
    const half = await askServer((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    });
    expect(half).toEqual(failed('connection'));
  });

  it('is no HTTP', async () => {
    const port = await startSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect(await ask(`http://127.0.0.1:${port}/`)).toEqual(failed('unreadable'));
  });
});
