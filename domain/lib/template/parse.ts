import type { CelIssue } from '../cel.js';

export interface TemplatePart {
  kind: 'text' | 'expression';
  text: string;
  /** Character offset of the part in the template; for an expression, of its first character after `{{` and blanks. */
  position: number;
}

/**
 * Splits a template into texts and expressions. Braces of map literals and inside strings do not end an expression.
 * Text after an unclosed `{{` is left out and reported.
 */
export function parseTemplate(template: string): { parts: TemplatePart[]; issue: CelIssue | null } {
  const parts: TemplatePart[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const textEnd = open === -1 ? template.length : open;
    if (textEnd > at) parts.push({ kind: 'text', text: template.slice(at, textEnd), position: at });
    if (open === -1) break;
    const close = findEnd(template, open + 2);
    if (close === -1) return { parts, issue: { message: '{{ is not closed by }}', position: open } };
    const inner = template.slice(open + 2, close);
    const blanks = inner.length - inner.trimStart().length;
    parts.push({ kind: 'expression', text: inner.trim(), position: open + 2 + blanks });
    at = close + 2;
  }
  return { parts, issue: null };
}

/** The offset of the `}}` that ends the expression starting at `from`, or -1. */
function findEnd(template: string, from: number): number {
  let depth = 0;
  for (let at = from; at < template.length; at += 1) {
    const character = template.charAt(at);
    if (character === '"' || character === "'") {
      at = endOfString(template, at, character);
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      if (depth === 0) return template.charAt(at + 1) === '}' ? at : -1;
      depth -= 1;
    }
  }
  return -1;
}

/**
 * The offset of the closing quote of the string literal that opens at `open`, or the end of the template if it is not
 * closed.
 */
function endOfString(template: string, open: number, quote: string): number {
  for (let at = open + 1; at < template.length; at += 1) {
    if (template.charAt(at) === '\\') at += 1;
    else if (template.charAt(at) === quote) return at;
  }
  return template.length;
}
