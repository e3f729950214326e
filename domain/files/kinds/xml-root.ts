import { SaxesParser } from 'saxes';

/** The root element of an XML document is looked for in its first characters. */
const rootWithin = 64 * 1024;

class RootFound extends Error {
  constructor(readonly root: XmlRoot) {
    super('the root element was found');
  }
}

export interface XmlRoot {
  /** Without its prefix. */
  name: string;
}

/**
 * Finds the root element of a text. Documents that declare entities in their DOCTYPE are `refused`, because readers
 * expand them without end. The DOCTYPE that drawing programs write into SVG files declares nothing.
 */
export function rootElementOf(text: string): XmlRoot | 'none' | 'refused' {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new EntitiesDeclared();
  });
  parser.on('opentag', ({ name }) => {
    throw new RootFound({ name: name.slice(name.indexOf(':') + 1) });
  });
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(text.slice(0, rootWithin));
  } catch (ended) {
    if (ended instanceof RootFound) return ended.root;
    if (ended instanceof EntitiesDeclared) return 'refused';
  }
  return 'none';
}

class EntitiesDeclared extends Error {}

const htmlBeginning = /^<(!doctype\s+html|html|head|body|script|iframe|style|title)\b/i;

/** Whether a browser would take the text for HTML: by its DOCTYPE, or by its first tag in any case of letters. */
export function beginsLikeHtml(text: string): boolean {
  return htmlBeginning.test(withoutComments(text.slice(0, rootWithin)));
}

function withoutComments(text: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++;
    const end = text.startsWith('<!--', at) ? text.indexOf('-->', at) : -1;
    if (end < 0) return text.slice(at);
    at = end + '-->'.length;
  }
}
