import { type AttributeSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import {
  type AttributeRules,
  columnWidths,
  flag,
  ignored,
  imageAddress,
  integer,
  linkAddress,
  matching,
  maxColumns,
  oneOf,
  text,
} from './attributes.js';

/*
 * The nodes and marks of a document, named as TipTap 3 names them, with what each may contain
 * (https://prosemirror.net/docs/guide/#schema.content_expressions) and the values of its attributes.
 */

const aligned: AttributeRules = { textAlign: oneOf('left', 'center', 'right', 'justify') };

const cell: AttributeRules = {
  colspan: integer(1, maxColumns, 1),
  rowspan: integer(1, 500, 1),
  colwidth: columnWidths,
  align: oneOf('left', 'center', 'right'),
};

interface NodeRule extends Pick<NodeSpec, 'content' | 'group' | 'marks' | 'inline' | 'code'> {
  attributes?: AttributeRules;
}

export const nodeRules: Readonly<Record<string, NodeRule>> = {
  paragraph: { content: 'inline*', group: 'block', attributes: aligned },
  doc: { content: 'block+' },
  text: { group: 'inline' },
  heading: {
    content: 'inline*',
    group: 'block',
    attributes: { level: integer(1, 6, 1), ...aligned },
  },
  blockquote: { content: 'block+', group: 'block' },
  bulletList: { content: 'listItem+', group: 'block' },
  orderedList: {
    content: 'listItem+',
    group: 'block',
    attributes: { start: integer(0, 1_000_000, 1), type: oneOf('1', 'a', 'A', 'i', 'I') },
  },
  listItem: { content: 'paragraph block*' },
  taskList: { content: 'taskItem+', group: 'block' },
  taskItem: { content: 'paragraph block*', attributes: { checked: flag() } },
  codeBlock: {
    content: 'text*',
    group: 'block',
    marks: '',
    code: true,
    attributes: { language: matching(/^[A-Za-z0-9+#._-]{1,40}$/, 'the name of a language, such as json') },
  },
  horizontalRule: { group: 'block' },
  hardBreak: { group: 'inline', inline: true },
  image: {
    group: 'block',
    attributes: {
      src: imageAddress,
      alt: text(500),
      title: text(500),
      width: integer(1, 10_000, null),
      height: integer(1, 10_000, null),
    },
  },
  table: { content: 'tableRow+', group: 'block' },
  tableRow: { content: '(tableCell | tableHeader)*' },
  tableCell: { content: 'block+', attributes: cell },
  tableHeader: { content: 'block+', attributes: cell },
  details: { content: 'detailsSummary detailsContent', group: 'block', attributes: { open: flag() } },
  detailsSummary: { content: 'text*' },
  detailsContent: { content: 'block+' },
};

interface MarkRule extends Pick<MarkSpec, 'excludes'> {
  attributes?: AttributeRules;
}

/** In the order in which they nest, outermost first. */
export const markRules: Readonly<Record<string, MarkRule>> = {
  link: {
    attributes: {
      href: linkAddress,
      target: oneOf('_blank', '_self'),
      title: text(500),
      rel: ignored(text(200)),
      class: ignored(text(200)),
    },
  },
  bold: {},
  italic: {},
  strike: {},
  underline: {},
  highlight: { attributes: { color: ignored(text(50)) } },
  subscript: {},
  superscript: {},
  code: { excludes: '_' },
};

/** Attributes for ProseMirror, which checks their values with `Node.check()`. */
function attributesOf(rules: AttributeRules = {}): Record<string, AttributeSpec> {
  const stored = Object.entries(rules).filter(([, { ignored }]) => ignored !== true);
  return Object.fromEntries(
    stored.map(([name, rule]) => {
      const validate = (value: unknown) => {
        const problem = rule.problem(value);
        if (problem !== undefined) throw new RangeError(`${name} ${problem}`);
      };
      return [name, 'default' in rule ? { default: rule.default, validate } : { validate }];
    }),
  );
}

export const documentSchema = new Schema({
  nodes: Object.fromEntries(
    Object.entries(nodeRules).map(([name, { attributes, ...spec }]) => [
      name,
      { ...spec, attrs: attributesOf(attributes) },
    ]),
  ),
  marks: Object.fromEntries(
    Object.entries(markRules).map(([name, { attributes, ...spec }]) => [
      name,
      { ...spec, attrs: attributesOf(attributes) },
    ]),
  ),
});
