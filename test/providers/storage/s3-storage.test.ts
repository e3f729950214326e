import { once } from 'node:events';
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { S3Storage, type S3StorageOptions } from '../../../providers/storage/s3-storage.js';
import {
  StorageBusy,
  StorageOutcomeUnknown,
  StorageRefused,
  StorageUnusable,
} from '../../../providers/storage/storage.js';
import { obtainVersitygw } from '../../../tools/dev/provision/obtain-versitygw.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { ProcessTable } from '../../../tools/dev/provision/processes.js';
import { consoleProgress } from '../../../tools/dev/provision/progress.js';
import { startS3Server } from '../../../tools/dev/provision/s3-server.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { random, readAll, receive, sha256Of, store, text } from '../../support/storage/bytes.js';
import { newBucket, newKey } from '../../support/storage/use-storage.js';
import { closedPort, startServer, startSilentServer, startSocketServer } from '../misbehaving-server.js';

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
const buildMs = 20 * 60_000;

/** Everything that a storage does with objects. */
const deeds = (storage: S3Storage, key: string): Record<string, () => Promise<unknown>> => ({
  put: () => store(storage, key, random(300_000)),
  get: () => storage.get(key),
  head: () => storage.head(key),
  delete: () => storage.delete(key),
  check: () => storage.check(),
});

function at(endpoint: string, more: Partial<S3StorageOptions> = {}): S3Storage {
  const bucket = { region: 'us-east-1', bucket: 'secret-bucket', keyId: 'key', secret: 'secret' };
  return new S3Storage({ ...bucket, endpoint, spoolFolder: temporaryFolder(), ...more });
}

describe('signed addresses', () => {
  const answer = {
    filename: 'Bericht für “Ada”, שלום.pdf',
    disposition: 'attachment',
    mimeType: 'application/pdf',
    seconds: 60,
    get from() {
      return new Date();
    },
  } as const;

  it(
    'give everyone the object, with the pinned name and type and nothing else',
    async () => {
      const storage = new S3Storage(await newBucket());
      const key = newKey();
      await store(storage, key, 'the bytes');
      const address = String(storage.sign(key, answer));

      const response = await fetch(address);
      expect(await response.text()).toBe('the bytes');
      expect(response.headers.get('content-type')).toBe('application/pdf');
      const disposition = String(response.headers.get('content-disposition'));
      expect(disposition).toMatch(/^attachment; filename=/);
      expect(disposition).toContain(encodeURIComponent('שלום.pdf'));

      const ranged = await fetch(address, { headers: { range: 'bytes=4-' } });
      expect([ranged.status, await ranged.text()]).toEqual([206, 'bytes']);
      for (const [from, to] of [
        ['attachment', 'inline'],
        ['application%2Fpdf', 'text%2Fhtml'],
        [key, newKey()],
        ['X-Amz-Expires=60', 'X-Amz-Expires=600000'],
      ] as const) {
        expect(address).toContain(from);
        expect((await fetch(address.replace(from, to))).status).toBe(403);
      }
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
    },
    buildMs,
  );

  it('end when their time is over', async () => {
    const storage = new S3Storage(await newBucket());
    const key = newKey();
    await store(storage, key, 'the bytes');
    const address = String(storage.sign(key, { ...answer, seconds: 1 }));
    await expect.poll(async () => (await fetch(address)).status, { interval: 200 }).toBe(403);
  });

  it('are the same for the same moment, and not valid before it', async () => {
    const storage = new S3Storage(await newBucket());
    const key = newKey();
    await store(storage, key, 'the bytes');
    const earlier = { ...answer, from: new Date(Date.now() - 600_000) };
    expect(storage.sign(key, earlier)).toBe(storage.sign(key, earlier));
    expect((await fetch(String(storage.sign(key, { ...earlier, seconds: 1_200 })))).status).toBe(200);
    expect((await fetch(String(storage.sign(key, { ...earlier, seconds: 60 })))).status).toBe(403);
  });

  it('are of the endpoint that clients reach, and there are none without it', async () => {
    const bucket = await newBucket();
    const key = newKey();
    const outside = new S3Storage({
      ...bucket,
      publicEndpoint: 'https://files.example.com:8443/s3/',
      secret: 'never-told',
    });
    const url = new URL(String(outside.sign(key, answer)));
    expect(url.origin).toBe('https://files.example.com:8443');
    expect(url.pathname).toBe(`/s3/${bucket.bucket}/${key}`);
    expect(url.href).not.toContain('never-told');
    const inside = new S3Storage({ ...bucket, publicEndpoint: undefined });
    expect(inside.sign(key, answer)).toBeUndefined();
  });
});

describe('what an operator has to see to', () => {
  it.each([
    ['a wrong secret', { secret: 'wrong' }],
    ['an unknown key id', { keyId: 'nobody' }],
    ['a missing bucket', { bucket: 'wes-no-such-bucket' }],
    ['another region', { region: 'eu-nowhere-1' }],
  ])(
    '%s makes the storage unusable, whatever it is asked',
    async (_, wrong) => {
      const storage = new S3Storage({ ...(await newBucket()), ...wrong });
      for (const [deed, work] of Object.entries(deeds(storage, newKey()))) {
        expect([deed, await failureOf(work())]).toEqual([deed, expect.any(StorageUnusable)]);
      }
    },
    buildMs,
  );

  it('a wrong credential is told of a large object as well, which the server does not read', async () => {
    const storage = new S3Storage({ ...(await newBucket()), secret: 'wrong' });
    const failure = await failureOf(store(storage, newKey(), random(50_000_000)));
    expect(failure).toMatchObject({ code: 'SignatureDoesNotMatch' });
  });

  it('bytes that are not the received ones are not stored', async () => {
    const storage = new S3Storage(await newBucket());
    const key = newKey();
    const spooled = await receive(storage, 'received');
    writeFileSync(spooled.path, 'rotten!!');
    expect(await failureOf(storage.put(key, spooled, { mimeType: text }))).toBeInstanceOf(StorageRefused);
    expect(await storage.head(key)).toBeUndefined();
  });
});

it(
  'waits for a server that is away, and goes on when it is back',
  async () => {
    const folder = temporaryFolder();
    const processes = new ProcessTable();
    onTestFinished(() => processes.killAll());
    const options = {
      processes,
      program: await obtainVersitygw(consoleProgress()),
      port: await freePort(),
      keyId: 'key',
      secret: 'secret',
      folder,
    };
    const server = await startS3Server(options);
    mkdirSync(join(server.buckets, 'secret-bucket'));
    const storage = at(server.endpoint);
    const key = newKey();
    await store(storage, key, 'before');

    await server.process.kill();
    const spooled = await receive(storage, 'meanwhile');
    const put = () => storage.put(newKey(), spooled, { mimeType: text });
    for (const work of [put, () => storage.get(key), () => storage.head(key), () => storage.delete(key)]) {
      const failure = await failureOf(work());
      expect([StorageBusy, StorageOutcomeUnknown]).toContain((failure as Error).constructor);
    }

    await startS3Server(options);
    expect((await readAll(storage.get(key))).toString()).toBe('before');
    await put();
    await storage.delete(key);
  },
  buildMs,
);

describe('answers of a server in trouble', () => {
  const answering =
    (status: number, headers: Record<string, string> = {}, code?: string): RequestListener =>
    (_, response) => {
      response.writeHead(status, headers);
      response.end(code && `<?xml version="1.0"?><Error><Code>${code}</Code><Key>k</Key></Error>`);
    };

  it.each([
    ['put', 503, StorageBusy],
    ['put', 429, StorageBusy],
    ['put', 500, StorageOutcomeUnknown],
    ['put', 507, StorageUnusable],
    ['put', 400, StorageRefused],
    ['put', 301, StorageUnusable],
    ['put', 401, StorageUnusable],
    ['get', 500, StorageBusy],
    ['get', 404, StorageUnusable],
    ['delete', 404, StorageUnusable],
    ['head', 502, StorageBusy],
    ['delete', 504, StorageOutcomeUnknown],
  ])('%s answered with %i', async (deed, status, kind) => {
    const storage = at(await startServer(answering(status)));
    const failure = await failureOf(deeds(storage, newKey())[deed]?.() as Promise<unknown>);
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({ code: String(status) });
  });

  it('tells how long the server asks to wait, and its code', async () => {
    const storage = at(await startServer(answering(503, { 'retry-after': '7' }, 'SlowDown')));
    expect(await failureOf(storage.get(newKey()))).toMatchObject({ code: 'SlowDown', retryAfterMs: 7_000 });
  });

  it('a full storage is unusable for what is put only', async () => {
    const storage = at(await startServer(answering(403, {}, 'QuotaExceeded')));
    const failure = await failureOf(store(storage, newKey(), 'x'));
    expect(failure).toMatchObject({ code: 'QuotaExceeded', details: { wholeAccount: false } });
  });

  it('quotes no key, bucket or address', async () => {
    const storages = [
      at(await startServer(answering(403, {}, 'AccessDenied'))),
      at(await startServer(answering(404, {}, 'NoSuchKey'))),
      at(`http://127.0.0.1:${await closedPort()}`),
      at('http://storage.invalid'),
    ];
    const key = newKey();
    for (const storage of storages) {
      for (const work of Object.values(deeds(storage, key))) {
        const failure = (await failureOf(work())) as Error | undefined;
        if (failure === undefined) continue;
        const told = `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`;
        for (const secret of [...key.split('/'), 'secret-bucket', '127.0.0.1', 'storage.invalid']) {
          expect(told).not.toContain(secret);
        }
      }
    }
  });
});

describe('connections that fail', () => {
  const quick = { connectTimeoutMs: 1_000, idleTimeoutMs: 1_000 };

  it('a server that nobody reaches has stored nothing', async () => {
    const storage = at(`http://127.0.0.1:${await closedPort()}`, quick);
    const failure = await failureOf(store(storage, newKey(), 'x'));
    expect(failure).toBeInstanceOf(StorageBusy);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('of a silent server it is unknown whether it stored', async () => {
    const storage = at(`http://127.0.0.1:${await startSilentServer()}`, quick);
    expect(await failureOf(store(storage, newKey(), 'x'))).toBeInstanceOf(StorageOutcomeUnknown);
    expect(await failureOf(storage.get(newKey()))).toMatchObject({ provider: 'storage', code: 'TIMEOUT' });
  });

  it('of a server that hangs up during the body it is unknown whether it stored, and the spool is kept', async () => {
    const endpoint = await startServer((request, response) => {
      if (request.method === 'PUT') request.once('data', () => request.socket.destroy());
      else response.end();
    });
    const storage = at(endpoint);
    const spooled = await receive(storage, random(5_000_000));
    const failure = await failureOf(storage.put(newKey(), spooled, { mimeType: text }));
    expect(failure).toBeInstanceOf(StorageOutcomeUnknown);
    expect(sha256Of(await readAll(createReadStream(spooled.path)))).toBe(spooled.sha256);
  });

  it('a server that knows no Expect gets the body all the same', async () => {
    const received: string[] = [];
    const port = await startSocketServer((socket) => {
      socket.on('data', (chunk) => {
        received.push(chunk.toString());
        if (received.join('').endsWith('the body')) {
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        }
      });
    });
    await store(at(`http://127.0.0.1:${port}`), newKey(), 'the body');
    expect(received.join('')).toMatch(/content-length: 8/i);
  });

  it('an object that is cut off fails in the middle, instead of ending early', async () => {
    const endpoint = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(random(100_000), () => setTimeout(() => response.destroy(), 50));
    });
    const failure = await failureOf(readAll(at(endpoint).get(newKey())));
    expect(failure).toBeInstanceOf(StorageBusy);
  });

  it('an object that stops coming fails, but a reader may take its time', async () => {
    const content = random(2_000_000);
    const endpoint = await startServer((request, response) => {
      response.writeHead(200, { 'content-length': String(content.length) });
      if (String(request.url).endsWith('1')) response.end(content);
      else response.write(content.subarray(0, 1_000_000));
    });
    const storage = at(endpoint, quick);
    const [whole, stalling] = [newKey().replace(/.$/, '1'), newKey().replace(/.$/, '2')];
    expect(await failureOf(readAll(storage.get(stalling)))).toMatchObject({ code: 'TIMEOUT' });

    const source = await storage.get(whole);
    await once(source, 'readable');
    // Three times as long as the silence of a server may last.
    await delay(3_000);
    expect((await readAll(source)).length).toBe(content.length);
  });
});
