/** Short forms of documents for tests. */
export interface TestNode {
  type: string;
  [key: string]: unknown;
}

export const doc = (...content: unknown[]): TestNode => ({ type: 'doc', content });

export const p = (...content: (string | TestNode)[]): TestNode => ({
  type: 'paragraph',
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});

export const node = (type: string, attrs: Record<string, unknown>, ...content: unknown[]): TestNode => ({
  type,
  attrs,
  ...(content.length > 0 && { content }),
});

/** A text with marks; a mark is its name, or its name and attributes. */
export const marked = (text: string, ...marks: (string | [string, Record<string, unknown>])[]): TestNode => ({
  type: 'text',
  text,
  marks: marks.map((mark) => (typeof mark === 'string' ? { type: mark } : { type: mark[0], attrs: mark[1] })),
});
