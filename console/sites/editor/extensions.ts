import { type Extensions, Mark, mergeAttributes, Node } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { TextAlign } from '@tiptap/extension-text-align';
import StarterKit from '@tiptap/starter-kit';
import { linkOf } from './addresses.js';

/*
 * The nodes and marks of a page, no more and no fewer (docs/site-pages.md). The policy of the console allows no pictures of other
 * hosts, and no styles that a script adds.
 */

/** A mark without attributes, written as an element. */
const mark = (name: string, tag: string, excludes = '') =>
  Mark.create({
    name,
    excludes,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** A part of a page that is folded. Here it is always open, to be written in. */
const Details = Node.create({
  name: 'details',
  group: 'block',
  content: 'detailsSummary detailsContent',
  isolating: true,
  defining: true,
  addAttributes: () => ({ open: { default: false, rendered: false } }),
  parseHTML: () => [{ tag: 'details' }, { tag: 'div[data-details]' }],
  renderHTML: () => ['div', { 'data-details': '' }, 0],
});
const DetailsSummary = Node.create({
  name: 'detailsSummary',
  content: 'text*',
  defining: true,
  parseHTML: () => [{ tag: 'summary' }, { tag: 'p[data-summary]', priority: 60 }],
  renderHTML: () => ['p', { 'data-summary': '' }, 0],
  addKeyboardShortcuts() {
    return {
      // A summary is one line: what follows is written below it.
      Enter: ({ editor }) => {
        const { $from } = editor.state.selection;
        return $from.parent.type.name === this.name && editor.commands.focus($from.after() + 2);
      },
    };
  },
});
const DetailsContent = Node.create({
  name: 'detailsContent',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'div[data-content]' }],
  renderHTML: () => ['div', { 'data-content': '' }, 0],
});

/** A picture; one of another host is told of, and not fetched. */
const Picture = Image.extend({
  // What is pasted from elsewhere brings no address that a page cannot have.
  parseHTML: () => [
    { tag: 'img[src^="https://"]' },
    { tag: 'img[src^="/"]:not([src^="//"])' },
    {
      tag: 'figure[data-src]',
      getAttrs: ({ dataset }) => ({ src: dataset.src, alt: dataset.alt ?? null }),
    },
  ],
  renderHTML({ HTMLAttributes }) {
    const { src, alt } = HTMLAttributes as { src?: string; alt?: string | null };
    if (src?.startsWith('/') === true) return ['img', mergeAttributes(HTMLAttributes)];
    return ['figure', { 'data-src': src, 'data-alt': alt }, `${alt ?? ''} ${src ?? ''}`.trim()];
  },
});

/** @param taskLabel what the box of a task is called */
export const extensions = (taskLabel: string): Extensions => [
  StarterKit.configure({
    trailingNode: false,
    link: {
      openOnClick: false,
      isAllowedUri: (address) => linkOf(address) === address,
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  mark('highlight', 'mark'),
  mark('subscript', 'sub'),
  mark('superscript', 'sup'),
  Details,
  DetailsSummary,
  DetailsContent,
  Picture,
  TableKit.configure({ table: { resizable: false } }),
  TaskList,
  TaskItem.configure({ nested: true, a11y: { checkboxLabel: () => taskLabel } }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
];

/** Whether everything that a document has is in what the editor makes of it. Values of null are as good as none. */
export function keepsAll(document: unknown, made: unknown): boolean {
  if (document === null || document === undefined) return true;
  if (typeof document !== 'object' || typeof made !== 'object' || made === null) return document === made;
  return Object.entries(document).every(([key, value]) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return isEmpty || keepsAll(value, (made as Record<string, unknown>)[key]);
  });
}
