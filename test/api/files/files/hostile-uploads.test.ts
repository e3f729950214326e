import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { gif, jpeg, pdfOf, zip } from '../../../support/files/samples.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';

const { api, workspace, asAdmin } = useApi();

const send = (sent: SentFile) => sendFile(api, workspace, sent);
const script = '<script>alert(document.domain)</script>';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What browsers decide by: at the address of the download, and at the one that shows a file. */
async function servedAt(sent: SentFile) {
  const { status, body } = await send(sent);
  expect([status, body.code]).toEqual([201, undefined]);
  const { apiKey } = workspace.admin;
  const shown = new URL(body.cdnUrl).pathname + new URL(body.cdnUrl).search;
  const answers = [
    await api.request('GET', workspace.path(`/files/${body.id}/download`), { apiKey }),
    await api.request('GET', shown.replace(/^\/api\/v2/, '')),
  ];
  return { file: body, answers };
}

describe('an upload that a browser could take for something else', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>, string, string]>([
    ['a picture that goes on as a page', Buffer.concat([gif(), Buffer.from(script)]), 'a.gif', 'image/gif'],
    ['a photo that goes on as a page', Buffer.concat([jpeg(), Buffer.from(script)]), 'a.jpg', 'image/jpeg'],
    ['a script that begins as a picture', 'GIF89a=1;alert(document.domain)', 'a.gif', 'text/plain'],
    ['a page named as a text', `notes ${script}`, 'a.txt', 'text/plain'],
    [
      'a document that is an archive',
      Buffer.concat([zip([['a', 'b']]), pdfOf(['a'])]),
      'a.pdf',
      'application/pdf',
    ],
    [
      'a drawing with a script',
      `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`,
      'a.svg',
      'image/svg+xml',
    ],
    [
      'XML that is a page',
      `<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script/></a>`,
      'a.xml',
      'application/xml',
    ],
  ])('%s is served as its own kind, and in a sandbox', async (_what, content, filename, mimeType) => {
    const { file, answers } = await servedAt({ content, filename });
    expect(file.mimeType).toBe(mimeType);
    for (const { status, headers } of answers) {
      expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, mimeType]);
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const shown = answers[1]?.headers.get('content-disposition');
    expect(shown).toMatch(/^(image\/(gif|jpeg)|text\/plain)$/.test(mimeType) ? /^inline;/ : /^attachment;/);
    if (mimeType === 'image/svg+xml')
      expect((await asAdmin('GET', `/files/${file.id}`)).body.data).toBeNull();
  });
});

describe('the name of an upload', () => {
  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\kim\\letter.txt', 'letter.txt'],
    ['/', 'file'],
    ['נספח לביקור.txt', 'נספח לביקור.txt'],
    ['نشرة المريض.txt', 'نشرة المريض.txt'],
    ['exe.\u202etxt.txt', 'exe.txt.txt'],
  ])('is a label, in answers, in headers and in addresses: %s', async (filename, expected) => {
    const { file, answers } = await servedAt({ filename });
    expect([file.title, file.filename]).toEqual([expected, expected]);
    expect(new URL(file.cdnUrl).pathname.split('/').slice(-2)).toEqual([
      'contents',
      encodeURIComponent(expected),
    ]);
    for (const { headers } of answers) {
      const disposition = headers.get('content-disposition') ?? '';
      const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
      const [, plain] = /filename="([^"]+)"/.exec(disposition) ?? [];
      expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(expected);
    }
  });

  it('is that of two files if two uploads of it come at once', async () => {
    const sent = ['First.', 'Second text.'].map((content) => send({ content, filename: 'same.txt' }));
    const files = (await Promise.all(sent)).map(({ body }) => body);
    expect(files.map(({ filename, fileSize }) => [filename, fileSize])).toEqual([
      ['same.txt', 6],
      ['same.txt', 12],
    ]);
    expect(files[0].id).not.toBe(files[1].id);
  });
});

describe('the size of an upload', () => {
  it('is 50 MB at most: one of 51 MB is refused, and leaves nothing', async () => {
    const before = (await asAdmin('GET', '/files')).body.total;
    const refused = await send({ content: Buffer.alloc(51 * 1_048_576, 'word '), filename: 'a.txt' });
    expect(refused).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect((await asAdmin('GET', '/files')).body.total).toBe(before);
  });
});

it('a download that is cut in the middle continues with the same bytes', async () => {
  const content = Buffer.from(randomBytes(12 * 1_048_576).toString('base64'));
  const { body: file } = await send({ content, filename: 'large.txt' });
  const url = `${api.baseUrl}/api/v2${workspace.path(`/files/${file.id}/download`)}`;
  const headers = { Authorization: `Bearer ${workspace.admin.apiKey}` };

  const [first] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  const received: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of first) {
    received.push(chunk);
    bytes += chunk.length;
    if (bytes > 3_000_000) break;
  }
  expect(bytes).toBeLessThan(content.length);

  const rest = await fetch(url, {
    headers: { ...headers, Range: `bytes=${bytes}-`, 'If-Range': String(first.headers.etag) },
  });
  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes ${bytes}-${content.length - 1}/${content.length}`,
  ]);
  received.push(Buffer.from(await rest.arrayBuffer()));
  expect(sha256(Buffer.concat(received))).toBe(sha256(content));
});

describe('ranges of a stored file', () => {
  it.each([
    ['that overlap', 'bytes=0-9,5-14', 206, 'bytes 0-14/19', 'Drink enough wa'],
    ['that end beyond it', 'bytes=13-99', 206, 'bytes 13-18/19', 'water.'],
    ['of which one lies beyond it', 'bytes=0-4,50-60', 206, 'bytes 0-4/19', 'Drink'],
    ['that lie beyond it', 'bytes=19-,40-50', 416, 'bytes */19', undefined],
    ['with a gap', 'bytes=0-4,13-18', 200, null, 'Drink enough water.'],
  ])('%s: %s', async (_what, range, status, contentRange, text) => {
    const { body: file } = await send({});
    const path = workspace.path(`/files/${file.id}/download`);
    const headers = { Range: range };
    const answer = await api.request('GET', path, { apiKey: workspace.admin.apiKey, headers });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    if (text !== undefined) expect(answer.body).toBe(text);
  });
});
