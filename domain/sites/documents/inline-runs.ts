import type { Mark, Node } from 'prosemirror-model';

/** What a format makes of the content of a paragraph, in its order. */
export interface InlineFormat {
  open(mark: Mark): string;
  close(mark: Mark): string;
  leaf(node: Node): string;
}

/** An inline node with the marks that it is shown with. */
export interface InlineRun {
  node: Node;
  marks: readonly Mark[];
}

export function inlineRuns(parent: Node): InlineRun[] {
  return parent.children.map((node) => ({ node, marks: node.marks }));
}

/** Writes runs so that a mark of several neighbours is opened once. */
export function writeRuns(runs: readonly InlineRun[], format: InlineFormat): string {
  const parts: string[] = [];
  const opened: Mark[] = [];
  const closeTo = (depth: number) => {
    for (const mark of opened.splice(depth).reverse()) parts.push(format.close(mark));
  };
  for (const { node, marks } of runs) {
    const kept = opened.findIndex((mark, at) => !marks[at]?.eq(mark));
    closeTo(kept < 0 ? opened.length : kept);
    for (const mark of marks.slice(opened.length)) {
      parts.push(format.open(mark));
      opened.push(mark);
    }
    parts.push(format.leaf(node));
  }
  closeTo(0);
  return parts.join('');
}
