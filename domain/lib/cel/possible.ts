import type { ASTNode } from '@marcbachmann/cel-js';
import { createEnvironment } from './environment.js';
import { accessOf, operandsOf } from './syntax.js';

/** Undefined where it depends on data. */
type Truth = boolean | undefined;
/** Whether a task of this name can have been entered. */
type CanBeVisited = (taskName: string) => boolean;

/**
 * Whether a condition can hold, given which tasks can have been entered. Only `"name" in tasks.visited` and its like
 * are judged, and what `&&`, `||`, `!` and `?:` make of them; everything else is taken to depend on data.
 */
export function canHold(root: ASTNode, canBeVisited: CanBeVisited): boolean {
  return truthOf(root, canBeVisited) !== false;
}

function truthOf(node: ASTNode, canBeVisited: CanBeVisited): Truth {
  const truth = (operand: ASTNode) => truthOf(operand, canBeVisited);
  switch (node.op) {
    case 'value':
      return typeof node.args === 'boolean' ? node.args : undefined;
    case '!_': {
      const operand = truth(node.args);
      return operand === undefined ? undefined : !operand;
    }
    case '&&':
      return allOf(node.args.map(truth));
    case '||': {
      const negated = allOf(node.args.map(truth).map((one) => (one === undefined ? undefined : !one)));
      return negated === undefined ? undefined : !negated;
    }
    case '?:': {
      const [condition, then, otherwise] = node.args.map(truth);
      if (condition !== undefined) return condition ? then : otherwise;
      return then === otherwise ? then : undefined;
    }
    case 'in':
      return isTasksField(node.args[1], lists) ? namedBy(node.args[0], canBeVisited) : undefined;
    case '==': {
      const [left, right] = node.args;
      if (isTasksField(left, current)) return namedBy(right, canBeVisited);
      return isTasksField(right, current) ? namedBy(left, canBeVisited) : undefined;
    }
    default:
      return undefined;
  }
}

const lists = new Set(['visited', 'completed', 'timed_out']);
const current = new Set(['current']);

function isTasksField(node: ASTNode, fields: ReadonlySet<string>): boolean {
  const access = accessOf(node);
  return access?.target.op === 'id' && access.target.args === 'tasks' && fields.has(access.key);
}

function namedBy(node: ASTNode, canBeVisited: CanBeVisited): Truth {
  if (node.op !== 'value' || typeof node.args !== 'string') return undefined;
  return canBeVisited(node.args) ? undefined : false;
}

function allOf(operands: readonly Truth[]): Truth {
  if (operands.includes(false)) return false;
  return operands.includes(undefined) ? undefined : true;
}

/** Whether the value of an expression is the same for any data, because it names no variable. */
export function isFixed(root: ASTNode): boolean {
  return root.op !== 'id' && operandsOf(root).every(isFixed);
}

const reading = createEnvironment({ text: 'string' });
const readers = new Map(
  ['timestamp', 'duration'].map((name) => [name, reading.parse(`${name}(text)`)] as const),
);

/** The calls of `timestamp` and `duration` with a literal that they cannot read: they fail whatever the data. */
export function unreadableTimes(node: ASTNode): { call: string; text: string }[] {
  const below = operandsOf(node).flatMap(unreadableTimes);
  if (node.op !== 'call') return below;
  const [call, [argument]] = node.args;
  const read = readers.get(call);
  if (read === undefined || argument?.op !== 'value' || typeof argument.args !== 'string') return below;
  const text = argument.args;
  return [...below, ...(canRead(() => read({ text })) ? [] : [{ call, text }])];
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
