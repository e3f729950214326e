import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextPage } from '../lines.js';
import { Refused } from '../refused.js';

/** What pages leave in memory is freed each time after so many. */
const pagesBetweenCleanups = 50;
const maxCharactersOfPage = 200_000;

export async function* pdfPages(path: string, fromPage: number): AsyncIterable<TextPage> {
  const document = await open(path);
  for (let page = fromPage; page <= document.numPages; page++) {
    const text = await textOf(document, page);
    if (text !== '') yield { page, text };
    if (page % pagesBetweenCleanups === 0) await document.cleanup();
  }
}

async function open(path: string): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data: new Uint8Array(await readFile(path)),
      // Tables of characters, without which texts in Chinese, Japanese and Korean cannot be read.
      cMapUrl: fileURLToPath(new URL('../../cmaps/', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))),
      cMapPacked: true,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: VerbosityLevel.ERRORS,
    }).promise;
  } catch (error) {
    throw new Refused((error as Error).name === 'PasswordException' ? 'password' : 'damaged');
  }
}

/** A page that cannot be read has no text: the others may have. */
async function textOf(document: PDFDocumentProxy, number: number): Promise<string> {
  let page: PDFPageProxy | undefined;
  try {
    page = await document.getPage(number);
    const { items } = await page.getTextContent();
    let text = '';
    for (const item of items) {
      if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
      if (text.length > maxCharactersOfPage) break;
    }
    return text.trim();
  } catch {
    return '';
  } finally {
    page?.cleanup();
  }
}
