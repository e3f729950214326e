import type { ASTNode } from '@marcbachmann/cel-js';
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { isMacro, operandsOf } from '../syntax.js';
import { accessTime, isAccessor } from './accessors.js';
import { requireInt64 } from './fail.js';
import { afterCheck, afterwards, hooksOf, instead, withOperands } from './hooks.js';
import { readDuration, timeArithmetic } from './times.js';

/**
 * Replaces the evaluation of what the evaluator does otherwise than the standard, or in a time that grows faster than
 * its texts, where registering a function cannot. To be called before the types are checked.
 */
export function correct(root: ASTNode): void {
  correctNode(root, hasUnsigned(root));
}

function correctNode(node: ASTNode, withUnsigned: boolean): void {
  for (const operand of operandsOf(node)) correctNode(operand, withUnsigned);
  switch (node.op) {
    case '+':
    case '-':
      correctSum(node, node.op);
      break;
    case '/':
    case '-_':
      afterwards(node, (value) => typeof value === 'bigint' && requireInt64(value));
      break;
    case 'call':
      correctCall(node, node.args[0], node.args[1]);
      break;
    case 'rcall':
      correctMethod(node, node.args[0], node.args[1], node.args[2]);
      break;
    case 'in':
    case '==':
    case '!=':
      if (withUnsigned) withOperands(node, node.args, (values) => values.map(signed));
      break;
    case '[]':
      if (withUnsigned) withOperands(node, node.args, ([target, index]) => [target, signed(index)]);
  }
}

const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';

/** Sums of times and durations are exact and in range, and duration plus timestamp is a timestamp. */
function correctSum(node: Extract<ASTNode, { op: '+' | '-' }>, operator: '+' | '-'): void {
  const [, right] = node.args;
  afterCheck(node, (type, typeOf, named) => {
    const isMoment = operator === '+' && type.name === duration && typeOf(right).name === timestamp;
    return isMoment ? named(timestamp) : type;
  });
  instead(node, node.args, ([left, other]) => timeArithmetic(operator, left, other));
}

function correctCall(node: ASTNode, name: string, args: readonly ASTNode[]): void {
  const [argument] = args;
  if (argument === undefined || args.length > 1) return;
  if (name === 'has') correctHas(node, argument);
  // The evaluator tries each digit of a long number as the beginning of each part.
  if (name === 'duration') {
    instead(node, args, ([text]) => (typeof text === 'string' ? readDuration(text) : undefined));
  }
}

/** The macro of the evaluator takes only fields of variables. */
function correctHas(node: ASTNode, argument: ASTNode): void {
  if (argument.op !== '.' || rootOf(argument).op === 'id') return;
  const [target, field] = argument.args;
  const hooks = hooksOf(node);
  hooks.setMeta('macro', {
    typeCheck: (checker, _macro, context) => {
      checker.check(target, context);
      return checker.getType('bool');
    },
    evaluate: (evaluator, _macro, context) => {
      const value = evaluator.run(target, context);
      return evaluator.debugType(value).fieldLazy(value, field, argument, evaluator) !== undefined;
    },
  });
  hooks.setMeta('async', false);
}

function rootOf(node: ASTNode): ASTNode {
  return node.op === '.' ? rootOf(node.args[0]) : node;
}

function correctMethod(node: ASTNode, name: string, receiver: ASTNode, args: readonly ASTNode[]): void {
  // The evaluator has no type for the elements of an empty list.
  if (isMacro(name) && receiver.op === 'list' && receiver.args.length === 0) {
    afterCheck(receiver, (_type, _typeOf, named) => named('list<dyn>'));
  }
  // The evaluator takes milliseconds for a time zone, knows no offsets, and depends on the time zone of the process.
  if (isAccessor(name) && args.length <= 1) {
    instead(node, [receiver, ...args], ([moment, zone = 'UTC']) =>
      moment instanceof Date && typeof zone === 'string' ? accessTime(name, moment, zone) : undefined,
    );
  }
}

/** Values of the context are never `uint`. */
function hasUnsigned(node: ASTNode): boolean {
  if (node.op === 'value') return node.args instanceof UnsignedInt;
  return (node.op === 'call' && node.args[0] === 'uint') || operandsOf(node).some(hasUnsigned);
}

/** The evaluator does not compare `uint` with other numbers within lists and maps, and finds no element by one. */
function signed(value: unknown): unknown {
  const one = (item: unknown) => (item instanceof UnsignedInt ? item.valueOf() : item);
  if (Array.isArray(value)) return value.map(one);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return one(value);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, one(item)]));
}
