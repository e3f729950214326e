import type { ASTNode } from '@marcbachmann/cel-js';
import { operandsOf } from '../syntax.js';

/** An expression as the parser of the evaluator reads it, and what to put back into its tree. */
interface Source {
  text: string;
  restore(root: ASTNode): void;
}

const escaped = /\/\/[^\n]*|([bB]?)([rR]?)("""|'''|"|')((?:\\.|(?!\3)[^\\])*)\3|(?<=\.\s*)`([\w./ -]+)`/gs;

/**
 * Replaces what the parser does not read, which are names in backticks and some literals of bytes, by texts of the same
 * length, so that positions stay true.
 * @param decode evaluates a literal of bytes in ASCII
 */
export function readSource(text: string, decode: (literal: string) => unknown): Source {
  if (!/`|[bB][rR]?["']/.test(text)) return { text, restore: () => {} };
  const names = new Map<number, string>();
  const bytes = new Map<number, Uint8Array>();
  const replaced = text.replaceAll(escaped, (part, b, r, quote, content, name, position) => {
    if (name !== undefined) {
      names.set(position, name);
      // The space ends the name, so that what follows does not become a part of it.
      return `${'_'.repeat(part.length - 1)} `;
    }
    const isRaw = Boolean(r);
    if (!b || !(isRaw || /[^\0-\x7f]/.test(content))) return part;
    const value = isRaw ? Buffer.from(content) : decode(part.replaceAll(/[^\0-\x7f]+/g, escapesOf));
    if (!(value instanceof Uint8Array)) return part;
    bytes.set(position + (isRaw ? 1 : 0), value);
    return `${isRaw ? ' b' : 'b'}${quote}${'_'.repeat(content.length)}${quote}`;
  });
  return { text: replaced, restore: (root) => restore(root, names, bytes) };
}

function escapesOf(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('');
}

function restore(
  node: ASTNode,
  names: ReadonlyMap<number, string>,
  bytes: ReadonlyMap<number, Uint8Array>,
): void {
  if (node.op === '.') {
    const name = names.get(node.pos);
    if (name !== undefined) node.args[1] = name;
  }
  if (node.op === 'value') {
    const value = bytes.get(node.start);
    if (value !== undefined) Object.assign(node, { args: value });
  }
  for (const operand of operandsOf(node)) restore(operand, names, bytes);
}
