import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceOfBytes, withSourceOfFile } from '../../../../domain/files/kinds/file-source.js';
import { recognizeKind } from '../../../../domain/files/kinds/recognize-kind.js';
import {
  compoundFile,
  gif,
  jpeg,
  mp3,
  mp4,
  pdfOf,
  png,
  wordDocument,
  zip,
} from '../../../support/files/samples.js';
import { processorMsOf } from '../../../support/lib/processor-ms.js';

async function kindOf(content: Uint8Array | string, name = 'upload'): Promise<string | undefined> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return (await recognizeKind(sourceOfBytes(bytes), name))?.mimeType;
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('kinds with signatures', () => {
  test.each([
    ['a PDF', pdfOf(['Hello']), 'application/pdf'],
    ['a Word document', wordDocument(['Hello']), word],
    ['a Word document of 1997', compoundFile('WordDocument'), 'application/msword'],
    ['a PNG', png(), 'image/png'],
    ['a JPG', jpeg(), 'image/jpeg'],
    ['a GIF', gif(), 'image/gif'],
    ['an MP3 with an ID3 tag', mp3({ tagBytes: 300 }), 'audio/mpeg'],
    ['an MP3 without a tag', mp3({}), 'audio/mpeg'],
    ['an MP4', mp4('isom'), 'video/mp4'],
  ])('%s is recognised whatever its name is', async (_what, content, mimeType) => {
    expect(await kindOf(content, 'page.html')).toBe(mimeType);
  });

  test('the kind names its group', async () => {
    expect(await recognizeKind(sourceOfBytes(png()), '')).toEqual({ mimeType: 'image/png', kind: 'image' });
  });

  test('a PDF after other bytes is recognised', async () => {
    expect(await kindOf(Buffer.concat([Buffer.from([0, 1, 2, 3]), pdfOf(['Hello'])]))).toBe(
      'application/pdf',
    );
  });

  test('a text that quotes the header of a PDF is text', async () => {
    expect(await kindOf('%PDF-1.7 is how a PDF begins.')).toBe('text/plain');
  });

  test.each([
    'BMW drivers meet on Monday',
    'MZ is how programs begin',
    'ID3 tags hold the title of a song',
    'GIF89a<script>alert(1)</script>',
    'PK is the name of our club',
  ])('the text "%s" is text', async (text) => {
    expect(await kindOf(text)).toBe('text/plain');
  });

  test.each([
    ['a Word document with macros', wordDocument(['Hello'], { macros: true })],
    ['a ZIP archive', zip([['readme.txt', 'Hello']])],
    ['a ZIP archive whose only entry has the name of a part of Word', zip([['word/document.xml', '<x/>']])],
    ['a spreadsheet of 1997', compoundFile('Workbook')],
    ['a QuickTime film', mp4('qt  ')],
    ['an AVIF picture', mp4('avif')],
    ['one MPEG frame header among other bytes', Buffer.from([0xff, 0xfb, 0x90, 0x00, 1, 2, 3, 4, 0])],
    ['a program', Buffer.from('MZ\u0090\0\u0003\0\0\0', 'latin1')],
    ['the beginning of a compound file', compoundFile('WordDocument').subarray(0, 512)],
    ['a ZIP archive that ends early', zip([['a', 'b']]).subarray(0, 40)],
  ])('%s is of no accepted kind', async (_what, content) => {
    expect(await kindOf(content, 'file.docx')).toBeUndefined();
  });

  test('a Word document behind a thousand entries is recognised', async () => {
    const filler = Array.from({ length: 1_100 }, (_, at) => [`media/${at}`, ''] as [string, string]);
    expect(await kindOf(wordDocument(['Hello'], { before: filler }))).toBe(word);
  });

  test('an archive of more entries than a document has is refused unread', async () => {
    const filler = Array.from({ length: 2_100 }, (_, at) => [`media/${at}`, ''] as [string, string]);
    expect(await kindOf(wordDocument(['Hello'], { before: filler }))).toBeUndefined();
  });

  test('a PDF that is an archive as well is a PDF', async () => {
    expect(await kindOf(Buffer.concat([zip([['a', 'b']]), pdfOf(['Hello'])]))).toBe('application/pdf');
  });
});

describe('kinds of text', () => {
  test.each([
    ['leaflet.md', '# Opening hours', 'text/markdown'],
    ['notes.TXT', 'Opening hours', 'text/plain'],
    ['notes', 'Opening hours', 'text/plain'],
    ['notes.txt', '<b>bold</b>', 'text/plain'],
    ['readme.md', '<div align="center"><img src="x"></div>', 'text/markdown'],
    ['data.json', '1', 'application/json'],
    ['data.txt', '{"a": 1}', 'text/plain'],
    ['data', '{"a": 1}', 'application/json'],
    ['data', '[1, 2]', 'application/json'],
    ['data', '1', 'text/plain'],
    ['data.json', '{"a": 1', 'text/plain'],
    ['people.csv', 'name,age\nAda,36\n', 'text/csv'],
    ['people.csv', 'name\nAda\n', 'text/csv'],
    ['people', 'name;age\nAda;36\nGrace;37\n', 'text/csv'],
    ['letter', 'Dear Ada,\nwe meet on Monday, at 9.\n', 'text/plain'],
    ['feed', '<?xml version="1.0"?>\n<feed><item/></feed>', 'application/xml'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['drawing', '<?xml version="1.0"?><!-- by hand --><svg:svg xmlns:svg="x"/>', 'image/svg+xml'],
    ['drawing', '<svg><script>alert(1)</script></svg>', 'image/svg+xml'],
    ['arithmetic', '< is less than, > is greater', 'text/plain'],
    ['empty.txt', '', 'text/plain'],
  ])('%s with %j is %s', async (name, content, mimeType) => {
    expect(await kindOf(content, name)).toBe(mimeType);
  });

  test('an SVG with the DOCTYPE of drawing programs is accepted', async () => {
    const doctype =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    expect(await kindOf(`<?xml version="1.0"?>${doctype}<svg/>`)).toBe('image/svg+xml');
  });

  test.each([
    ['entities that expand without end', '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'],
    ['an SVG with entities', '<!DOCTYPE svg [<!ENTITY a "ha">]><svg>&a;</svg>'],
    ['an HTML page', '<!doctype html><p>Hello'],
    ['an HTML page after comments', '<!-- a -->\n<!-- b --><HTML><p>Hello'],
    ['an XHTML page', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['a script', '<script>alert(1)</script>'],
  ])('%s is of no accepted kind', async (_what, content) => {
    expect(await kindOf(content, 'page')).toBeUndefined();
  });

  test.each(['utf-16le', 'utf-16be'] as const)(
    'text in %s with a byte order mark is text',
    async (encoding) => {
      const bytes = Buffer.from('\ufeffOpening hours: 9 to 5', 'utf16le');
      expect(await kindOf(encoding === 'utf-16be' ? bytes.swap16() : bytes)).toBe('text/plain');
    },
  );

  test.each([
    ['a NUL character', Buffer.from('Opening\0hours')],
    ['a NUL character in UTF-16', Buffer.from('\ufeffOpening\0hours', 'utf16le')],
    ['bytes of Latin 1', Buffer.from('Öffnungszeiten', 'latin1')],
    ['half a character at its end', Buffer.from('Öffnung ö').subarray(0, -1)],
    ['a NUL character after a megabyte', Buffer.from(`${'a'.repeat(1_200_000)}\0`)],
  ])('text with %s is of no accepted kind', async (_what, content) => {
    expect(await kindOf(content, 'notes.txt')).toBeUndefined();
  });

  test('characters that lie across two pieces are read whole', async () => {
    expect(await kindOf(`a${'ö'.repeat(400_000)}`)).toBe('text/plain');
  });

  test('JSON of many megabytes is recognised by its ends, without being parsed', async () => {
    const rows = `[${'{"a":1},'.repeat(400_000)}{}]`;
    expect(await kindOf(rows, 'data.json')).toBe('application/json');
    expect(await kindOf(`${rows} and more`, 'data.json')).toBe('text/plain');
  });

  test('thousands of comments before the first tag take no long time', async () => {
    const time = await processorMsOf(async () => {
      expect(await kindOf(`${'<!-- a -->'.repeat(6_000)}<x`, 'a')).toBe('text/plain');
    });
    expect(time).toBeLessThan(2_000);
  });
});

test('a file on disk is read in pieces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kinds-'));
  try {
    await writeFile(join(folder, 'spooled'), wordDocument(['Hello']));
    const kind = await withSourceOfFile(join(folder, 'spooled'), (source) => recognizeKind(source, 'a.bin'));
    expect(kind).toEqual({ mimeType: word, kind: 'document' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
