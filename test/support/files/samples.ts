import { type ZipEntry, zip } from './zip.js';

export { pdfBomb, pdfOf } from './pdf.js';
export { zip } from './zip.js';

interface WordOptions {
  macros?: boolean;
  /** Entries before those of the document. */
  before?: (ZipEntry | [string, string])[];
}

/** Writes a Word document with these paragraphs. */
export function wordDocument(paragraphs: readonly string[], options: WordOptions = {}): Buffer {
  const { macros = false, before = [] } = options;
  const body = paragraphs
    .map((text) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`)
    .join('');
  const main = macros
    ? 'application/vnd.ms-word.document.macroEnabled.main+xml'
    : 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return zip([
    ...before,
    [
      '[Content_Types].xml',
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    ],
    [
      '_rels/.rels',
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
        'Target="word/document.xml"/></Relationships>',
    ],
    [
      'word/document.xml',
      '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
        `<w:body>${body}</w:body></w:document>`,
    ],
  ]);
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

export function png(): Buffer {
  return Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
}

export function gif(): Buffer {
  return Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
}

export function jpeg(): Buffer {
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ]);
}

/** Writes two frames of 128 kbit/s and 44.1 kHz, 417 bytes each, after a tag if it has bytes. */
export function mp3({ tagBytes = 0 }: { tagBytes?: number }): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  const tag = Buffer.from(`ID3\x04\0\0\0\0${String.fromCharCode(tagBytes >> 7, tagBytes & 0x7f)}`, 'latin1');
  return Buffer.concat([...(tagBytes > 0 ? [tag, Buffer.alloc(tagBytes)] : []), frame, frame, frame]);
}

export function mp4(brand: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}\0\0\x02\0${brand}mp41`, 'latin1'),
  ]);
}

/** Writes a compound file whose directory has one stream besides its root, in its second sector. */
export function compoundFile(stream: string): Buffer {
  const file = Buffer.alloc(512 * 4, 0);
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.writeUInt32LE(0, 76);
  // The allocation table, in sector 0: the directory goes from sector 1 to sector 2, and ends there.
  file.writeUInt32LE(2, 512 + 4);
  file.writeUInt32LE(0xfffffffe, 512 + 8);
  file.write('Root Entry', 512 * 2, 'utf16le');
  file.write(stream, 512 * 3, 'utf16le');
  return file;
}
