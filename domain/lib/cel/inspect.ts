import type { ASTNode } from '@marcbachmann/cel-js';
import { accessOf, isMacro, operandsOf } from './syntax.js';
import { type CelField, fieldsOf } from './variables.js';

/** A text literal of an expression, with its offset. */
export interface NamedText {
  name: string;
  position: number;
}

/** A field of a data type: of the member's single record (`form_data`) or of the records of a collection (`data`). */
export interface RecordField {
  group: 'form_data' | 'data';
  dataTypeSlug: string;
  fieldSlug: string;
  position: number;
}

/** The types of literals, and of times, which are computed. */
export type ComparedType = 'text' | 'number' | 'boolean' | 'null' | TimeType;
type TimeType = 'timestamp' | 'duration';

/** What the text of an expression says about the definition it belongs to. A position is a character offset, from 0. */
export interface ExpressionFacts {
  /** Fields that no expression sees, such as `member.nmae`. `known`: the fields that there are, if there are any. */
  unknownFields: { path: string; of: string; field: string; position: number; known: string[] }[];
  /** Texts compared with a field that never has this value, such as `chat.channel == "sms"`. */
  unknownValues: { path: string; value: string; position: number; known: string[] }[];
  /** Texts compared with the names of tasks, and with which: `visited`, `completed`, `timed_out` or `current`. */
  taskNames: (NamedText & { among: string })[];
  /** Texts compared with the slugs of labels. */
  labelSlugs: NamedText[];
  /** Data types that are read, whether a field of theirs is named or not. */
  dataTypes: Omit<RecordField, 'fieldSlug'>[];
  recordFields: RecordField[];
  /**
   * Literals and times compared with a field, or added to it if `isComputed`; with its elements, as in
   * `"x" in member.form_data.intake.choices`, if `inList`.
   */
  recordComparisons: (RecordField & {
    with: ComparedType;
    text?: string;
    inList: boolean;
    isComputed?: true;
  })[];
  /** The same for values of another type than the field's, where it is none of a record: `assignment.created_at`. */
  typeMismatches: {
    path: string;
    is: ComparedType;
    with: ComparedType;
    position: number;
    isComputed?: true;
  }[];
  usesNow: boolean;
}

export function noFacts(): ExpressionFacts {
  return {
    unknownFields: [],
    unknownValues: [],
    taskNames: [],
    labelSlugs: [],
    dataTypes: [],
    recordFields: [],
    recordComparisons: [],
    typeMismatches: [],
    usesNow: false,
  };
}

export function factsOf(root: ASTNode): ExpressionFacts {
  const facts = noFacts();
  new Inspection(facts).visit(root, new Map());
  return facts;
}

/** The element of a list, in a path. */
const element = Symbol('element');
type Path = readonly (string | typeof element)[];

/** What a node stands for, as far as the text tells. */
type Meaning =
  | { kind: 'data'; path: Path }
  | { kind: 'literals'; nodes: readonly Literal[] }
  | { kind: 'time'; type: TimeType; position: number }
  | { kind: 'list'; of: Meaning };
type Literal = Extract<ASTNode, { op: 'value' }>;

/** The variables of the macros around a node; undefined for what is not known. */
type Scope = ReadonlyMap<string, Meaning | undefined>;

class Inspection {
  constructor(readonly facts: ExpressionFacts) {}

  /** Collects the facts of a node and of all below it. */
  visit(node: ASTNode, scope: Scope): Meaning | undefined {
    switch (node.op) {
      case 'value':
        return { kind: 'literals', nodes: [node] };
      case 'id':
        if (scope.has(node.args)) return scope.get(node.args);
        if (node.args === 'now') this.facts.usesNow = true;
        return { kind: 'data', path: [node.args] };
      case 'list':
        return listOf(node.args.map((item) => this.visit(item, scope)));
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        return this.#access(node, scope);
      case 'in': {
        const [sought, list] = [this.visit(node.args[0], scope), this.visit(node.args[1], scope)];
        this.#compare(sought, elementOf(list));
        return undefined;
      }
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        this.#compare(this.visit(node.args[0], scope), this.visit(node.args[1], scope));
        return undefined;
      case '+':
      case '-':
        return this.#computed(node, scope);
      case 'call': {
        for (const operand of operandsOf(node)) this.visit(operand, scope);
        const [name] = node.args;
        if (name !== 'timestamp' && name !== 'duration') return undefined;
        return { kind: 'time', type: name, position: node.start };
      }
      case 'rcall':
        if (isMacro(node.args[0])) return this.#macro(node, scope);
        break;
    }
    for (const operand of operandsOf(node)) this.visit(operand, scope);
    return undefined;
  }

  #access(node: ASTNode, scope: Scope): Meaning | undefined {
    const access = accessOf(node);
    if (access === undefined) {
      const [list] = operandsOf(node).map((operand) => this.visit(operand, scope));
      return elementOf(list);
    }
    const target = this.visit(access.target, scope);
    if (target?.kind !== 'data') return undefined;
    const path = [...target.path, access.key];
    this.#read(path, access.position);
    return { kind: 'data', path };
  }

  #computed(node: Extract<ASTNode, { op: '+' | '-' }>, scope: Scope): Meaning | undefined {
    const [left, right] = [this.visit(node.args[0], scope), this.visit(node.args[1], scope)];
    const [one, other] = [timeOf(left), timeOf(right)];
    if (one === undefined && other === undefined) return undefined;
    if (one !== undefined && other !== undefined) {
      const type = one.type === other.type ? 'duration' : 'timestamp';
      return { kind: 'time', type, position: node.start };
    }
    const time = one ?? other;
    const data = one === undefined ? left : right;
    if (time !== undefined && data?.kind === 'data') this.#usedWithTime(data.path, time, true);
    return undefined;
  }

  #macro(node: Extract<ASTNode, { op: 'rcall' }>, scope: Scope): Meaning | undefined {
    const [name, receiver, [variable, ...bodies]] = node.args;
    const list = this.visit(receiver, scope);
    const inner = new Map(scope);
    if (variable?.op === 'id') inner.set(variable.args, elementOf(list));
    const last = bodies.map((body) => this.visit(body, inner)).at(-1);
    if (name === 'filter') return list;
    return name === 'map' && last !== undefined ? { kind: 'list', of: last } : undefined;
  }

  #read(path: Path, position: number): void {
    const type = dataTypeOf(path);
    if (type === undefined) {
      this.#checkKnown(path, position);
      return;
    }
    if (path.length === 3) this.facts.dataTypes.push({ ...type, position });
    const field = recordFieldOf(path);
    if (field !== undefined && path.at(-1) !== element) this.facts.recordFields.push({ ...field, position });
    // A collection is a list: its elements have fields, it has none.
    if (type.group === 'data' && path.length === 4) this.#unknown(path, position, []);
  }

  #checkKnown([variable, key, ...more]: Path, position: number): void {
    if (typeof variable !== 'string' || typeof key !== 'string') return;
    const fields = fieldsOf(variable);
    const known = fields?.get(key);
    if (fields === undefined || (known !== undefined && (more.length === 0 || hasFields(known)))) return;
    this.#unknown([variable, key, ...more], position, more.length === 0 ? [...fields.keys()] : []);
  }

  #unknown(path: Path, position: number, known: string[]): void {
    const [of, field] = [textOf(path.slice(0, -1)), textOf(path.slice(-1))];
    this.facts.unknownFields.push({ path: textOf(path), of, field, position, known });
  }

  #compare(left: Meaning | undefined, right: Meaning | undefined): void {
    if (left?.kind === 'literals' && right?.kind === 'data') this.#comparedWith(right.path, left.nodes);
    if (left?.kind === 'data' && right?.kind === 'literals') this.#comparedWith(left.path, right.nodes);
    const [one, other] = [timeOf(left), timeOf(right)];
    if (one !== undefined && right?.kind === 'data') this.#usedWithTime(right.path, one);
    if (other !== undefined && left?.kind === 'data') this.#usedWithTime(left.path, other);
    if (left?.kind === 'list' || right?.kind === 'list') {
      const [one, other] = [elementOf(left), elementOf(right)];
      if (one !== undefined && other !== undefined) this.#compare(one, other);
    }
  }

  #comparedWith(path: Path, literals: readonly Literal[]): void {
    for (const literal of literals) {
      const type = typeOf(literal);
      if (type === undefined) continue;
      const field = recordFieldOf(path);
      if (field !== undefined) {
        const inList = path.at(-1) === element;
        const text = type === 'text' ? { text: String(literal.args) } : {};
        this.facts.recordComparisons.push({ ...field, position: literal.pos, with: type, ...text, inList });
      }
      if (type === 'text') this.#comparedWithText(path, String(literal.args), literal.pos);
      this.#checkType(path, type, literal.pos);
    }
  }

  #usedWithTime(path: Path, { type, position }: Time, isComputed = false): void {
    const field = recordFieldOf(path);
    const how = isComputed ? { isComputed: true as const } : {};
    if (field === undefined) this.#checkType(path, type, position, how);
    else {
      const inList = path.at(-1) === element;
      this.facts.recordComparisons.push({ ...field, position, with: type, inList, ...how });
    }
  }

  #checkType(path: Path, used: ComparedType, position: number, how: { isComputed?: true } = {}): void {
    const is = typeOfField(path);
    if (is === undefined || is === used || used === 'null') return;
    this.facts.typeMismatches.push({ path: textOf(path), is, with: used, position, ...how });
  }

  #comparedWithText(path: Path, text: string, position: number): void {
    const [variable, key, item] = path;
    if (typeof variable !== 'string' || typeof key !== 'string') return;
    const field = fieldsOf(variable)?.get(key);
    if (field === undefined || (field.type === 'texts') !== (item === element)) return;
    if (field.names === 'task') this.facts.taskNames.push({ name: text, position, among: key });
    if (field.names === 'label') this.facts.labelSlugs.push({ name: text, position });
    if (field.values !== undefined && !field.values.includes(text)) {
      const known = [...field.values];
      this.facts.unknownValues.push({ path: `${variable}.${key}`, value: text, position, known });
    }
  }
}

function listOf(items: readonly (Meaning | undefined)[]): Meaning | undefined {
  const nodes = items.flatMap((item) => (item?.kind === 'literals' ? item.nodes : []));
  return nodes.length < items.length ? undefined : { kind: 'list', of: { kind: 'literals', nodes } };
}

function elementOf(list: Meaning | undefined): Meaning | undefined {
  if (list?.kind === 'list') return list.of;
  return list?.kind === 'data' ? { kind: 'data', path: [...list.path, element] } : undefined;
}

type Time = Extract<Meaning, { kind: 'time' }>;

function timeOf(meaning: Meaning | undefined): Time | undefined {
  if (meaning?.kind === 'time') return meaning;
  const isMoment = meaning?.kind === 'data' && typeOfField(meaning.path) === 'timestamp';
  return isMoment ? { kind: 'time', type: 'timestamp', position: 0 } : undefined;
}

/** The type of a field with a single value; undefined for one that is a list or a map, or that is not fixed. */
function typeOfField([variable, key, ...more]: Path): ComparedType | undefined {
  if (variable === 'now' && key === undefined) return 'timestamp';
  if (typeof variable !== 'string' || typeof key !== 'string' || more.length > 0) return undefined;
  const type = fieldsOf(variable)?.get(key)?.type;
  if (type === 'moment') return 'timestamp';
  return type === 'text' || type === 'number' || type === 'boolean' ? type : undefined;
}

function hasFields({ type }: CelField): boolean {
  return type === 'records' || type === 'collections' || type === 'open';
}

/** The group and data type of a path into the member's data. */
function dataTypeOf([variable, group, slug]: Path): Pick<RecordField, 'group' | 'dataTypeSlug'> | undefined {
  if (variable !== 'member' || (group !== 'form_data' && group !== 'data')) return undefined;
  return typeof slug === 'string' ? { group, dataTypeSlug: slug } : undefined;
}

/** The field of a record that a path leads to, or whose elements it leads to. */
function recordFieldOf(path: Path): Omit<RecordField, 'position'> | undefined {
  const type = dataTypeOf(path);
  const [fieldSlug, ...more] = path.slice(type?.group === 'data' ? 4 : 3);
  if (type === undefined || typeof fieldSlug !== 'string') return undefined;
  return more.length === 0 || (more.length === 1 && more[0] === element) ? { ...type, fieldSlug } : undefined;
}

function textOf(path: Path): string {
  return path
    .map((key) => (key === element ? '[]' : key))
    .join('.')
    .replaceAll('.[]', '[]');
}

function typeOf({ args }: Literal): ComparedType | undefined {
  if (args === null) return 'null';
  if (typeof args === 'string') return 'text';
  if (typeof args === 'boolean') return 'boolean';
  return args instanceof Uint8Array ? undefined : 'number';
}
