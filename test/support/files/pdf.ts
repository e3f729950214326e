import { deflateSync } from 'node:zlib';

interface PdfOptions {
  /** Asks readers for a password. */
  locked?: boolean;
}

/** Writes a PDF with a line of text on each page; a page without text is empty. */
export function pdfOf(pages: readonly string[], options: PdfOptions = {}): Buffer {
  return pdfOfContents(
    pages.map((text) =>
      Buffer.from(text === '' ? '' : `BT /F1 12 Tf 72 720 Td ${linesOf(text)} ET`, 'latin1'),
    ),
    options,
  );
}

/** Writes a PDF with one page whose content is as long as told, of a few bytes in the file. */
export function pdfBomb(megabytes: number): Buffer {
  return pdfOfContents([Buffer.alloc(megabytes * 1024 * 1024, '0 0 m 9 9 l S ')]);
}

function linesOf(text: string): string {
  const lines = text.split('\n').map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -16 Td`);
  return lines.join(' ');
}

function pdfOfContents(contents: readonly Buffer[], { locked = false }: PdfOptions = {}): Buffer {
  const kids = contents.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
  ];
  for (const [at, content] of contents.entries()) {
    const packed = deflateSync(content);
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + at * 2} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> >> >>',
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${packed.byteLength} /Filter /FlateDecode >>\nstream\n`),
        packed,
        Buffer.from('\nendstream'),
      ]),
    );
  }
  const pieces: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let bytes = pieces[0]?.byteLength ?? 0;
  const places: number[] = [];
  for (const [at, object] of objects.entries()) {
    const piece = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    places.push(bytes);
    pieces.push(piece);
    bytes += piece.byteLength;
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const key = 'ab'.repeat(32);
  const encryption = locked
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<${key}> <${key}>]`
    : '';
  pieces.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n` +
        `<< /Size ${objects.length + 1} /Root 1 0 R ${encryption} >>\nstartxref\n${bytes}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}
