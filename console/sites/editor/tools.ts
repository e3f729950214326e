import type { ChainedCommands, Editor } from '@tiptap/core';
import type { EditorTexts } from './texts/en.js';

export interface Tool {
  name: keyof EditorTexts['tools'];
  /** A few letters, or the path of a picture of 16 by 16. */
  sign?: string;
  path?: string;
  isOn?(editor: Editor): boolean;
  /** Where it is used; by default everywhere. */
  isUsable?(editor: Editor): boolean;
  run(chain: ChainedCommands, editor: Editor): ChainedCommands;
}

const lines = (...widths: readonly (readonly [from: number, to: number])[]) =>
  widths.map(([from, to], at) => `M${from} ${3 + 3.5 * at}H${to}`).join('');

const heading = (level: 2 | 3 | 4): Tool => ({
  name: `heading${level}`,
  sign: `H${level}`,
  isOn: (editor) => editor.isActive('heading', { level }),
  run: (chain) => chain.toggleHeading({ level }),
});
const mark = (name: Tool['name'] & string, sign: string): Tool => ({
  name,
  sign,
  isOn: (editor) => editor.isActive(name),
  isUsable: (editor) => editor.can().toggleMark(name),
  run: (chain) => chain.toggleMark(name),
});
const aligned = (name: 'left' | 'center' | 'right' | 'justify', path: string): Tool => ({
  name,
  path,
  isOn: (editor) => editor.isActive({ textAlign: name }),
  run: (chain, editor) =>
    editor.isActive({ textAlign: name }) ? chain.unsetTextAlign() : chain.setTextAlign(name),
});

/** Groups of tools, in the order of the bar. */
export const tools: readonly (readonly Tool[])[] = [
  [
    { name: 'undo', sign: '↶', isUsable: (editor) => editor.can().undo(), run: (chain) => chain.undo() },
    { name: 'redo', sign: '↷', isUsable: (editor) => editor.can().redo(), run: (chain) => chain.redo() },
  ],
  [heading(2), heading(3), heading(4)],
  [
    mark('bold', 'B'),
    mark('italic', 'I'),
    mark('underline', 'U'),
    mark('strike', 'S'),
    mark('highlight', '▰'),
    mark('code', '</>'),
    mark('subscript', 'x₂'),
    mark('superscript', 'x²'),
  ],
  [
    {
      name: 'bulletList',
      path: `${lines([6, 15], [6, 15], [6, 15])}M1.5 3h1M1.5 6.5h1M1.5 10h1`,
      isOn: (editor) => editor.isActive('bulletList'),
      run: (chain) => chain.toggleBulletList(),
    },
    {
      name: 'orderedList',
      sign: '1.',
      isOn: (editor) => editor.isActive('orderedList'),
      run: (chain) => chain.toggleOrderedList(),
    },
    {
      name: 'taskList',
      sign: '☑',
      isOn: (editor) => editor.isActive('taskList'),
      run: (chain) => chain.toggleTaskList(),
    },
    {
      name: 'blockquote',
      sign: '❝',
      isOn: (editor) => editor.isActive('blockquote'),
      run: (chain) => chain.toggleBlockquote(),
    },
    {
      name: 'codeBlock',
      sign: '{ }',
      isOn: (editor) => editor.isActive('codeBlock'),
      run: (chain) => chain.toggleCodeBlock(),
    },
    {
      name: 'details',
      sign: '▾',
      isOn: (editor) => editor.isActive('details'),
      run: toggleDetails,
    },
  ],
  [
    aligned('left', lines([1, 15], [1, 9], [1, 15], [1, 9])),
    aligned('center', lines([1, 15], [4, 12], [1, 15], [4, 12])),
    aligned('right', lines([1, 15], [7, 15], [1, 15], [7, 15])),
    aligned('justify', lines([1, 15], [1, 15], [1, 15], [1, 15])),
  ],
  [
    { name: 'rule', sign: '―', run: (chain) => chain.setHorizontalRule() },
    {
      name: 'table',
      path: 'M1.5 2.5h13v11h-13zM1.5 6h13M6 2.5v11M10.5 2.5v11',
      isUsable: (editor) => !editor.isActive('table'),
      run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
    },
  ],
];

/** What is done in a table, once one is in it. */
export const tableTools: readonly Tool[] = [
  { name: 'addRow', run: (chain) => chain.addRowAfter() },
  { name: 'addColumn', run: (chain) => chain.addColumnAfter() },
  { name: 'deleteRow', run: (chain) => chain.deleteRow() },
  { name: 'deleteColumn', run: (chain) => chain.deleteColumn() },
  { name: 'headerRow', run: (chain) => chain.toggleHeaderRow() },
  { name: 'deleteTable', run: (chain) => chain.deleteTable() },
];

/** Folds what is selected, or unfolds it for good: its summary becomes a paragraph. */
function toggleDetails(chain: ChainedCommands, editor: Editor): ChainedCommands {
  const { $from, $to } = editor.state.selection;
  const depth = Array.from({ length: $from.depth }, (_, at) => $from.depth - at).find(
    (at) => $from.node(at).type.name === 'details',
  );
  if (depth !== undefined) {
    const node = $from.node(depth);
    const content = [
      { type: 'paragraph', content: node.child(0).content.toJSON() ?? [] },
      ...(node.child(1).toJSON().content ?? []),
    ];
    return chain.insertContentAt({ from: $from.before(depth), to: $from.after(depth) }, content);
  }
  const range = $from.blockRange($to);
  if (range === null) return chain;
  const blocks = editor.state.doc.slice(range.start, range.end).content.toJSON() ?? [];
  return chain
    .insertContentAt(
      { from: range.start, to: range.end },
      {
        type: 'details',
        content: [{ type: 'detailsSummary' }, { type: 'detailsContent', content: blocks }],
      },
    )
    .setTextSelection(range.start + 2);
}
