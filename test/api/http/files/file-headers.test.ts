import { describe, expect, it } from 'vitest';
import { fileHeaders } from '../../../../api/http/files/file-headers.js';
import type { ServedFile } from '../../../../api/http/files/served-file.js';
import { filenameOf } from '../../../../domain/files/filename.js';

const file = (of: Partial<ServedFile>): ServedFile => ({
  bytes: 1,
  sha256: 'ab',
  mimeType: 'image/png',
  filename: 'photo.png',
  disposition: 'inline',
  open: async () => {
    throw new Error('not opened');
  },
  ...of,
});
const headersOf = (of: Partial<ServedFile>) => fileHeaders(file(of));

describe('the disposition of a file', () => {
  it.each(['image/png', 'image/jpeg', 'image/gif', 'audio/mpeg', 'video/mp4', 'text/plain'])(
    'is inline if the handler wishes: %s',
    (mimeType) => {
      expect(headersOf({ mimeType })['Content-Disposition']).toMatch(/^inline;/);
      expect(headersOf({ mimeType, disposition: 'attachment' })['Content-Disposition']).toMatch(
        /^attachment;/,
      );
    },
  );

  it.each([
    'image/svg+xml',
    'text/html',
    'text/xml',
    'application/xml',
    'application/xhtml+xml',
    'text/javascript',
    'application/pdf',
    'application/octet-stream',
    'IMAGE/PNG',
    'image/png; charset=x',
    'image/png\r\nX: y',
    '',
  ])('is an attachment whatever the handler wishes: %s', (mimeType) => {
    expect(headersOf({ mimeType })['Content-Disposition']).toMatch(/^attachment;/);
  });

  it.each([
    ['a plain name', 'report 2026.pdf', 'attachment; filename="report 2026.pdf"'],
    ['a quote and a backslash path', 'C:\\docs\\a"b.pdf', 'attachment; filename="a\\"b.pdf"'],
    ['a path', '../../etc/passwd', 'attachment; filename="passwd"'],
    ['CR LF and a header', 'a\r\nSet-Cookie: x=1\r\n.pdf', 'attachment; filename="aSet-Cookie: x=1.pdf"'],
    [
      'a right-to-left script',
      'דוח שנתי.pdf',
      `attachment; filename="??? ????.pdf"; filename*=UTF-8''${encodeURIComponent('דוח שנתי.pdf')}`,
    ],
    [
      'a character that reverses what follows',
      'invoice\u202efdp.exe',
      'attachment; filename="invoicefdp.exe"',
    ],
    [
      'what looks percent-encoded',
      'a%20b.pdf',
      `attachment; filename="a%20b.pdf"; filename*=UTF-8''a%2520b.pdf`,
    ],
  ])('names the file: %s', (_, filename, expected) => {
    expect(headersOf({ mimeType: 'application/pdf', filename })['Content-Disposition']).toBe(expected);
  });
});

describe('the name of a download', () => {
  it.each(['', '.', '..', '/', 'a/..', '\u0000\u0007', ' \u202e '])(
    'is never empty or a folder: %j',
    (name) => {
      expect(filenameOf(name)).toBe('file');
    },
  );

  it('is cut at the front, so that its ending stays, and never within a character', () => {
    const name = filenameOf(`${'😀'.repeat(300)}.pdf`);
    expect(name).toBe(`${'😀'.repeat(196)}.pdf`);
  });
});

describe('the headers of a file', () => {
  it('forbid everything that could run', () => {
    expect(headersOf({})['Content-Security-Policy']).toMatch(/^sandbox; default-src 'none';/);
    expect(headersOf({})['Content-Security-Policy']).not.toContain('script');
  });

  it('give a type that is none as bytes', () => {
    const types = ['', 'png', 'text/html\r\nX: y', 'a/b;c', '../x'].map((mimeType) =>
      headersOf({ mimeType }),
    );
    expect(types.map((headers) => headers['Content-Type'])).toEqual(
      Array(5).fill('application/octet-stream'),
    );
  });

  it('let a page of another origin show the file only if the handler says so', () => {
    expect(headersOf({ embeddable: true })['Cross-Origin-Resource-Policy']).toBe('cross-origin');
    expect(headersOf({})).not.toHaveProperty('Cross-Origin-Resource-Policy');
  });

  it('keep the file out of shared caches', () => {
    expect(headersOf({})['Cache-Control']).toBe('private, no-cache');
    expect(headersOf({ freshSeconds: 60 })['Cache-Control']).toBe('private, max-age=60');
  });
});
