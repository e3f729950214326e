import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model';
import { suggestion } from '../../lib/closest.js';
import { type FieldError, InvalidInput, maxErrorsListed } from '../../lib/errors.js';
import type { AttributeRules } from './attributes.js';
import { documentLimits } from './limits.js';
import { documentSchema, markRules, nodeRules } from './schema.js';

/** A document of TipTap (https://tiptap.dev/docs/editor/core-concepts/schema), of which nothing is known yet. */
export type DocumentJson = { readonly type: string } & Readonly<Record<string, unknown>>;

/**
 * Checks a document and returns it in its normal form: attributes with their defaults, marks in one order.
 * @param pointer of the document in the request
 * @throws InvalidInput with the place of everything that is not accepted
 */
export function checkDocument(document: unknown, pointer = '/contentBlocks'): Node {
  checkSize(document, pointer);
  const errors: FieldError[] = [];
  const checked = new DocumentCheck(errors).node(document, pointer, documentSchema.topNodeType);
  if (errors.length > 0 || checked === undefined) throw InvalidInput.fields(errors);
  return checked;
}

/** Before anything walks the document by recursion. */
function checkSize(document: unknown, pointer: string): void {
  const { levels, nodes, bytes, blockBytes } = documentLimits;
  let found = 0;
  let level: unknown[] = [document];
  for (let at = 0; level.length > 0; at += 1) {
    if (at >= levels) throw InvalidInput.field(pointer, `must have at most ${levels} levels`);
    found += level.length;
    if (found > nodes) throw InvalidInput.field(pointer, `must have at most ${nodes} nodes`);
    level = level.flatMap(contentOf);
  }
  const blocks = contentOf(document).map(bytesOf);
  const large = blocks.findIndex((size) => size > blockBytes);
  if (large >= 0) {
    throw InvalidInput.field(`${pointer}/content/${large}`, `must have at most ${blockBytes} bytes`);
  }
  if (blocks.reduce((sum, size) => sum + size, 0) > bytes) {
    throw InvalidInput.field(pointer, `must have at most ${bytes} bytes`);
  }
}

function contentOf(node: unknown): unknown[] {
  return isRecord(node) && Array.isArray(node.content) ? node.content : [];
}

/** Attributes and marks are as deep as the request has them, so that the text of a block may be too deep to be made. */
function bytesOf(block: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(block) ?? '');
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

class DocumentCheck {
  constructor(private readonly errors: FieldError[]) {}

  private refuse(pointer: string, message: string): undefined {
    if (this.errors.length < maxErrorsListed) this.errors.push({ pointer, message });
  }

  /** The node as it is stored; undefined if anything in it is refused. */
  node(json: unknown, pointer: string, expected?: NodeType): Node | undefined {
    if (this.errors.length >= maxErrorsListed) return undefined;
    if (!isRecord(json) || typeof json.type !== 'string') {
      return this.refuse(pointer, 'must be a node: an object with a type');
    }
    if (expected !== undefined && json.type !== expected.name) {
      return this.refuse(`${pointer}/type`, `must be ${expected.name}`);
    }
    const rule = Object.hasOwn(nodeRules, json.type) ? nodeRules[json.type] : undefined;
    const type = documentSchema.nodes[json.type];
    if (rule === undefined || type === undefined) {
      return this.refuse(`${pointer}/type`, unknownName('node', json.type, Object.keys(nodeRules)));
    }
    this.keys(json, pointer, type.isText ? ['type', 'text', 'marks'] : ['type', 'attrs', 'content', 'marks']);
    const marks = this.marks(json.marks, `${pointer}/marks`);
    if (type.isText) return this.textNode(json.text, marks, pointer);
    const attrs = this.attributes(json.attrs, rule.attributes, `${pointer}/attrs`);
    const content = this.content(json.content, `${pointer}/content`);
    if (attrs === undefined || content === undefined || marks === undefined) return undefined;
    return this.withContent(type, attrs, content, marks, pointer);
  }

  private textNode(text: unknown, marks: readonly Mark[] | undefined, pointer: string): Node | undefined {
    if (typeof text !== 'string' || text === '') {
      return this.refuse(`${pointer}/text`, 'must be a text that is not empty');
    }
    if (text.includes('\u0000') || /\p{Surrogate}/u.test(text)) {
      return this.refuse(`${pointer}/text`, 'must be Unicode without the character U+0000');
    }
    return marks === undefined ? undefined : documentSchema.text(text, marks);
  }

  private withContent(
    type: NodeType,
    attrs: Record<string, unknown>,
    content: readonly Node[],
    marks: readonly Mark[],
    pointer: string,
  ): Node | undefined {
    const children = Fragment.fromArray([...content]);
    const misplaced = content.findIndex((child) =>
      child.marks.some((mark) => !type.allowsMarkType(mark.type)),
    );
    if (misplaced >= 0) {
      return this.refuse(`${pointer}/content/${misplaced}/marks`, `are not allowed in ${type.name}`);
    }
    if (!type.validContent(children)) {
      const { content: expression } = type.spec;
      const form = expression === undefined ? 'nothing' : expression;
      return this.refuse(`${pointer}/content`, `must be ${form}, as the content of ${type.name}`);
    }
    return type.create(attrs, children, marks);
  }

  private content(content: unknown, pointer: string): Node[] | undefined {
    if (content === undefined || content === null) return [];
    if (!Array.isArray(content)) return this.refuse(pointer, 'must be a list of nodes');
    const nodes = content.map((child, at) => this.node(child, `${pointer}/${at}`));
    return nodes.every((node) => node !== undefined) ? nodes : undefined;
  }

  private marks(marks: unknown, pointer: string): readonly Mark[] | undefined {
    if (marks === undefined || marks === null) return [];
    if (!Array.isArray(marks)) return this.refuse(pointer, 'must be a list of marks');
    if (marks.length > maxMarks) return this.refuse(pointer, `must be at most ${maxMarks} marks`);
    const checked = marks.map((mark, at) => this.mark(mark, `${pointer}/${at}`));
    if (!checked.every((mark) => mark !== undefined)) return undefined;
    // Adding one by one drops the second of a kind, and those that another excludes.
    return checked.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), []);
  }

  private mark(json: unknown, pointer: string): Mark | undefined {
    if (!isRecord(json) || typeof json.type !== 'string') {
      return this.refuse(pointer, 'must be a mark: an object with a type');
    }
    const rule = Object.hasOwn(markRules, json.type) ? markRules[json.type] : undefined;
    const type = documentSchema.marks[json.type];
    if (rule === undefined || type === undefined) {
      return this.refuse(`${pointer}/type`, unknownName('mark', json.type, Object.keys(markRules)));
    }
    this.keys(json, pointer, ['type', 'attrs']);
    const attrs = this.attributes(json.attrs, rule.attributes, `${pointer}/attrs`);
    return attrs === undefined ? undefined : type.create(attrs);
  }

  private attributes(
    given: unknown,
    rules: AttributeRules = {},
    pointer = '',
  ): Record<string, unknown> | undefined {
    if (given !== undefined && given !== null && !isRecord(given)) {
      return this.refuse(pointer, 'must be an object');
    }
    const values = given ?? {};
    const before = this.errors.length;
    for (const name of Object.keys(values)) {
      // Editors write attributes of extensions that the text does not use as null.
      if (Object.hasOwn(rules, name) || values[name] === null) continue;
      this.refuse(`${pointer}/${shown(name)}`, unknownName('attribute', name, Object.keys(rules)));
    }
    const stored: Record<string, unknown> = {};
    for (const [name, rule] of Object.entries(rules)) {
      const isGiven = Object.hasOwn(values, name) && values[name] !== undefined;
      const value = isGiven && !(values[name] === null && 'default' in rule) ? values[name] : rule.default;
      const problem = rule.problem(value);
      if (problem !== undefined) this.refuse(`${pointer}/${name}`, problem);
      else if (rule.ignored !== true) stored[name] = value;
    }
    return this.errors.length > before ? undefined : stored;
  }

  private keys(json: Record<string, unknown>, pointer: string, known: readonly string[]): void {
    for (const name of Object.keys(json)) {
      if (!known.includes(name)) {
        this.refuse(`${pointer}/${shown(name)}`, `is unknown here; known are ${known.join(', ')}`);
      }
    }
  }
}

const maxMarks = 20;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part of a JSON pointer, of any length in the request. */
function shown(name: string): string {
  return name.slice(0, 60).replaceAll('~', '~0').replaceAll('/', '~1');
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  return `is no ${what} of a page${suggestion(name.slice(0, 60), known)}`;
}
