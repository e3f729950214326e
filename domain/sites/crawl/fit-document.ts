import { documentLimits } from '../documents/limits.js';
import type { BlockJson, ConvertedDocument } from './converted-document.js';

/** Below the bounds of documents, because normal form adds the defaults of attributes. */
const bytesOfBlock = documentLimits.blockBytes / 3;
const bytesOfDocument = documentLimits.bytes / 2;
const nodesOfDocument = documentLimits.nodes - 500;
const lettersOfText = 4_000;

/** A document of blocks within the bounds of documents: large blocks are divided, and what comes after the end is left out. */
export function fitDocument(blocks: readonly BlockJson[]): ConvertedDocument {
  const content: BlockJson[] = [];
  let bytes = 0;
  let nodes = 0;
  let isCut = false;
  for (const block of blocks.flatMap(divide)) {
    bytes += bytesOf(block);
    nodes += nodesOf(block);
    if (bytes > bytesOfDocument || nodes > nodesOfDocument) {
      isCut = true;
      break;
    }
    content.push(block);
  }
  return {
    document: { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] },
    isCut,
  };
}

/** A block as several of its kind, each of a size that documents have. What cannot be divided becomes its text. */
function divide(block: BlockJson): BlockJson[] {
  if (bytesOf(block) <= bytesOfBlock) return [block];
  const { type, content = [], attrs } = block;
  if (type === 'codeBlock')
    return piecesOf(textOf(block)).map((text) => ({ ...block, content: [{ type: 'text', text }] }));
  const isLine = type === 'paragraph' || type === 'heading';
  const divisible = ['bulletList', 'orderedList', 'table', 'blockquote'];
  if (!isLine && !divisible.includes(type)) return textBlocks(block);
  const parts = isLine ? content.flatMap(divideText) : content;
  const divided: BlockJson[] = [];
  let part: BlockJson[] = [];
  let bytes = 0;
  let before = 0;
  const end = () => {
    if (part.length === 0) return;
    const counted =
      type === 'orderedList' ? { attrs: { ...attrs, start: Number(attrs?.start ?? 1) + before } } : {};
    divided.push({ ...block, ...counted, content: part });
    before += part.length;
    part = [];
    bytes = 0;
  };
  for (const child of parts) {
    const size = bytesOf(child);
    if (size > bytesOfBlock) {
      end();
      divided.push(...textBlocks(child));
      continue;
    }
    if (bytes + size > bytesOfBlock) end();
    part.push(child);
    bytes += size;
  }
  end();
  return divided;
}

function divideText(node: BlockJson): BlockJson[] {
  if (node.text === undefined || node.text.length <= lettersOfText) return [node];
  return piecesOf(node.text).map((text) => ({ ...node, text }));
}

function textBlocks(block: BlockJson): BlockJson[] {
  return piecesOf(textOf(block)).map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }));
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + lettersOfText, text.length);
    // Not between the halves of a character.
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces.filter((piece) => piece.trim() !== '');
}

function textOf({ text, content = [] }: BlockJson): string {
  return text ?? content.map(textOf).join(' ');
}

function bytesOf(block: BlockJson): number {
  return Buffer.byteLength(JSON.stringify(block));
}

function nodesOf({ content = [] }: BlockJson): number {
  return content.reduce((sum, child) => sum + nodesOf(child), 1);
}
