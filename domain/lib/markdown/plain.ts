import { blocks, type Make } from './blocks.js';

/**
 * The Markdown of a message as plain text, for where nothing is shown as markup: without marks, links with their addresses. A
 * text without Markdown stays as it was written.
 */
export function withoutMarkdown(text: string): string {
  const make: Make<Plain> = (name, attributes, children) => new Plain(name, attributes, children);
  const plain = blocks(text, make).join('\n\n').trim();
  const isAsWritten = withoutSpaces(plain) === withoutSpaces(text);
  return isAsWritten ? text : plain;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

class Plain {
  constructor(
    private readonly name: string,
    private readonly attributes: Readonly<Record<string, string | number | undefined>>,
    private readonly children: readonly (Plain | string)[],
  ) {}

  /** A link that is written as nothing but its address. */
  get isAddress(): boolean {
    const href = String(this.attributes.href ?? '');
    return (
      this.name === 'a' && ['', 'http://', 'mailto:', 'tel:'].some((kind) => href === kind + this.#inside())
    );
  }

  #inside(separator = ''): string {
    return this.children.join(separator);
  }

  toString(): string {
    switch (this.name) {
      case 'br':
        return '\n';
      case 'hr':
        return '---';
      case 'a':
        return this.isAddress ? this.#inside() : `${this.#inside()} (${this.attributes.href})`;
      case 'ul':
        return this.children.map((item) => `- ${indented(item)}`).join('\n');
      case 'ol':
        return this.children
          .map((item, at) => `${Number(this.attributes.start ?? 1) + at}. ${indented(item)}`)
          .join('\n');
      case 'li':
        return this.#lines();
      case 'blockquote':
        return this.#inside('\n');
      case 'tr':
        return this.#inside(' | ');
      case 'table':
      case 'thead':
      case 'tbody':
        return this.#inside('\n');
      default:
        return this.#inside();
    }
  }

  /** Paragraphs and lists in an item stand on lines of their own. */
  #lines(): string {
    return this.children
      .map((child, at) => {
        const isBlock =
          typeof child !== 'string' && ['ul', 'ol', 'p', 'blockquote', 'pre'].includes(child.name);
        return isBlock && at > 0 ? `\n${child}` : String(child);
      })
      .join('');
  }
}

function indented(item: Plain | string): string {
  return String(item).replace(/\n/g, '\n  ');
}
