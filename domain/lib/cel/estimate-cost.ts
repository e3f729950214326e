import type { ASTNode } from '@marcbachmann/cel-js';
import { checkPattern } from '../safe-pattern.js';
import { maxListLength, maxTaskNames, maxTextLength } from './context.js';
import { isAccessor } from './standard/accessors.js';
import { isMacro } from './syntax.js';
import { fieldsOf } from './variables.js';

/** The maximum number of steps of one expression or of one template: about 30 ms on a small machine. */
export const maxCost = 1_000_000;

/** Worst-case properties of a value. */
interface Value {
  /** Length of a list or text. */
  size: number;
  /** Steps to compare the value with another. */
  weight: number;
  /** The `weight` of an element of a list. */
  elementWeight: number;
}

/** `cost`: the steps to compute the value. */
type Estimate = Value & { cost: number };
type Scope = ReadonlyMap<string, Value>;

const charactersPerStep = 100;
const elementsPerStep = 20;
const backtracksPerStep = 20;
/** Steps to compute a local time in a time zone that the expression names, or in one of the data. */
const knownTimeZone = 300;
const anyTimeZone = 4_000;
/** Steps to read the longest duration. */
const anyDuration = 400;
const unknownSize = Math.max(maxListLength, maxTextLength / charactersPerStep);
/** The weight of a value that may be a record or a list within a record. */
const unknownWeight = 2_000;
const scalar = { weight: 1, elementWeight: 1 };
const unknown: Value = { size: unknownSize, weight: unknownWeight, elementWeight: unknownWeight };
const names = (size: number): Value => ({ size, weight: size, elementWeight: 1 });

/** Functions that return a list or a value of unknown type. */
const functionsOfMore = new Set(['dyn', 'join', 'split', 'map', 'filter']);

/**
 * The worst-case number of steps of an expression over a context at its bounds, similar to the cost estimate of
 * Kubernetes for its CEL rules. Limits on depth and length are not enough: two nested macros over concatenated lists
 * would run for minutes.
 */
export function estimateCost(node: ASTNode): number {
  return estimate(node, new Map()).cost;
}

function estimate(node: ASTNode, scope: Scope): Estimate {
  switch (node.op) {
    case 'value':
      return { cost: 1, size: typeof node.args === 'string' ? node.args.length : 1, ...scalar };
    case 'id':
      return {
        cost: 1,
        ...(scope.get(node.args) ?? (node.args === 'now' ? { size: 1, ...scalar } : unknown)),
      };
    case '.':
    case '.?':
      return estimateField(node.args[0], String(node.args[1]), scope);
    case '[]':
    case '[?]': {
      const [target, index] = [estimate(node.args[0], scope), estimate(node.args[1], scope)];
      return { ...target, cost: target.cost + index.cost + 1, weight: target.elementWeight };
    }
    case 'list': {
      const items = node.args.map((item) => estimate(item, scope));
      const elementWeight = most(items.map(({ weight }) => weight));
      const size = Math.max(items.length, largest(items));
      return { cost: sum(items) + 1, size, weight: 1 + items.length * elementWeight, elementWeight };
    }
    case 'map': {
      const entries = node.args.flat().map((part) => estimate(part, scope));
      const size = Math.max(entries.length, largest(entries));
      return { ...unknown, cost: sum(entries) + 1, size };
    }
    case 'call':
      return estimateCall(node.args[0], null, node.args[1], scope);
    case 'rcall':
      return estimateCall(node.args[0], node.args[1], node.args[2], scope);
    case '!_':
    case '-_':
      return { cost: estimate(node.args, scope).cost + 1, size: 1, ...scalar };
    case '?:': {
      const parts = node.args.map((part) => estimate(part, scope));
      return { ...heaviest(parts.slice(1)), cost: sum(parts) + 1, size: largest(parts.slice(1)) };
    }
    case '+': {
      const parts = node.args.map((part) => estimate(part, scope));
      const size = parts.reduce((total, part) => total + part.size, 0);
      return { ...heaviest(parts), cost: sum(parts) + 1 + size / elementsPerStep, size };
    }
    case '==':
    case '!=': {
      const parts = node.args.map((part) => estimate(part, scope));
      // A comparison walks through both values and ends with the smaller one.
      const walked = Math.min(unknownWeight, ...parts.map(({ weight }) => weight));
      return { cost: sum(parts) + walked, size: 1, ...scalar };
    }
    case 'in': {
      const [sought, list] = [estimate(node.args[0], scope), estimate(node.args[1], scope)];
      const compared = list.size * Math.min(sought.weight, list.elementWeight);
      return { cost: sought.cost + list.cost + compared, size: 1, ...scalar };
    }
    default:
      return { cost: sum(node.args.map((part) => estimate(part, scope))) + 1, size: 1, ...scalar };
  }
}

function estimateField(target: ASTNode, field: string, scope: Scope): Estimate {
  const known = target.op === 'id' && !scope.has(target.args) ? knownValue(target.args, field) : undefined;
  const { cost, size } = estimate(target, scope);
  return { cost: cost + 1, ...(known ?? { ...unknown, size }) };
}

/** A field of the context with a known type, which costs less than an unknown value. */
function knownValue(variable: string, field: string): Value | undefined {
  switch (fieldsOf(variable)?.get(field)?.type) {
    case 'number':
    case 'boolean':
    case 'moment':
      return { size: 1, ...scalar };
    case 'text':
      return { size: maxTextLength, ...scalar };
    case 'texts':
      return names(variable === 'tasks' ? maxTaskNames : maxListLength);
    default:
      return undefined;
  }
}

function estimateCall(
  name: string,
  receiver: ASTNode | null,
  args: readonly ASTNode[],
  scope: Scope,
): Estimate {
  const target = receiver ? estimate(receiver, scope) : { cost: 0, size: 1, ...scalar };
  if (receiver && isMacro(name)) return estimateMacro(name, target, args, scope);
  const parts = args.map((part) => estimate(part, scope));
  const size = Math.max(target.size, largest(parts));
  const cost = target.cost + sum(parts) + 1 + size / charactersPerStep;
  const value = functionsOfMore.has(name) ? unknown : scalar;
  if (name === 'matches') return { cost: cost + matchCost(args[0], receiver), size: 1, ...scalar };
  if (isAccessor(name) && args.length > 0) {
    const zone = literalText(args[0]) === undefined ? anyTimeZone : knownTimeZone;
    return { cost: cost + zone, size: 1, ...scalar };
  }
  if (name === 'duration' && literalText(args[0]) === undefined)
    return { cost: cost + anyDuration, size: 1, ...scalar };
  if (name === 'split') {
    return { ...names(Math.max(target.size, maxTextLength)), cost: cost + maxTextLength };
  }
  if (name === 'join')
    return { ...scalar, cost: cost + target.size, size: target.size * largest(parts) + unknownSize };
  return { ...value, cost, size };
}

function estimateMacro(name: string, target: Estimate, args: readonly ASTNode[], scope: Scope): Estimate {
  const [variable, ...bodies] = args;
  const inner = new Map(scope);
  const element = { size: target.size, weight: target.elementWeight, elementWeight: target.elementWeight };
  if (variable?.op === 'id') inner.set(variable.args, element);
  const body = bodies.map((part) => estimate(part, inner));
  const cost = target.cost + target.size * (1 + sum(body));
  if (name === 'filter') return { ...target, cost };
  if (name !== 'map') return { cost, size: 1, ...scalar };
  const elementWeight = most(body.map(({ weight }) => weight));
  const size = Math.max(target.size, largest(body));
  return { cost, size, weight: target.size * elementWeight, elementWeight };
}

/** The worst-case cost of searching the receiver: the longest text, if it is not a literal. */
function matchCost(pattern: ASTNode | undefined, receiver: ASTNode | null): number {
  const [searched, text] = [literalText(pattern), literalText(receiver)];
  if (searched === '') return 1;
  const checked = searched === undefined ? null : checkPattern(searched);
  if (!checked?.ok) return Number.POSITIVE_INFINITY;
  return checked.stepsOn(text?.length ?? maxTextLength) / backtracksPerStep;
}

function literalText(node: ASTNode | null | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}

function sum(parts: readonly Estimate[]): number {
  return parts.reduce((total, part) => total + part.cost, 0);
}

function largest(parts: readonly Estimate[]): number {
  return most(parts.map(({ size }) => size));
}

function heaviest(parts: readonly Estimate[]): Value {
  return {
    size: largest(parts),
    weight: most(parts.map(({ weight }) => weight)),
    elementWeight: most(parts.map(({ elementWeight }) => elementWeight)),
  };
}

function most(numbers: readonly number[]): number {
  return Math.max(0, ...numbers);
}
