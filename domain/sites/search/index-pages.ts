import {
  type PublishedDocument,
  replacePagePassages,
  selectUnindexed,
  selectUnindexedOfPage,
} from '../../../db/sites/page-passages.js';
import type { Tx } from '../../../db/tx.js';
import { cutPassages } from '../../files/indexing/cut-passages.js';
import { searchLanguageOf } from '../../files/indexing/search-language.js';
import type { ServiceContext } from '../../kernel/context.js';

interface NodeJson {
  type?: string;
  text?: string;
  content?: NodeJson[];
}

/** Pages that a pass of the reconciler sees to in one transaction. */
const maxAtOnce = 20;

/** Makes what a page publishes searchable, in the transaction that publishes it. */
export async function indexPage(tx: Tx, pageId: number): Promise<void> {
  for (const document of await selectUnindexedOfPage(tx, pageId)) await indexDocument(tx, document);
}

/** Makes published documents searchable that are not: copies, and those of an earlier release. @returns whether some may be left */
export async function indexSomePages({ db }: ServiceContext, workspaceId: number): Promise<boolean> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const documents = await selectUnindexed(tx, maxAtOnce);
    for (const document of documents) await indexDocument(tx, document);
    return documents.length === maxAtOnce;
  });
}

async function indexDocument(tx: Tx, document: PublishedDocument): Promise<void> {
  const text = `${document.publishedTitle}\n\n${textOf(document.publishedContent as NodeJson)}`;
  await replacePagePassages(tx, document, cutPassages(text), searchLanguageOf(document.locale));
}

const inLine = new Set(['text', 'hardBreak']);

/** The words of a document, with an empty line between its blocks. */
function textOf({ type, text, content = [] }: NodeJson): string {
  if (text !== undefined) return text;
  if (type === 'hardBreak') return '\n';
  const isLine = content.some((child) => inLine.has(child.type ?? ''));
  return content.map(textOf).join(isLine ? '' : '\n\n');
}
