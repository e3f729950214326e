import type { ASTNode } from '@marcbachmann/cel-js';
import { checkPattern } from '../safe-pattern.js';
import { maxListLength, maxTextLength } from './bound-context.js';
import { isMacro } from './syntax.js';

/** About a third of a second of evaluation on a small machine. */
export const maxCost = 10_000_000;

/** Worst-case steps to evaluate, and worst-case length of the resulting list or text. */
interface Estimate {
  cost: number;
  size: number;
}

type Scope = ReadonlyMap<string, number>;

const charactersPerStep = 100;
const elementsPerStep = 20;
const backtracksPerStep = 20;
const unknownSize = Math.max(maxListLength, maxTextLength / charactersPerStep);

/**
 * The worst-case number of steps an expression can take over a context at its bounds, in the manner of the cost
 * estimate that Kubernetes makes for its CEL rules. Depth and length alone bound nothing: two nested macros
 * over concatenated lists would run for minutes.
 */
export function estimateCost(node: ASTNode): number {
  return estimate(node, new Map()).cost;
}

function estimate(node: ASTNode, scope: Scope): Estimate {
  switch (node.op) {
    case 'value':
      return { cost: 1, size: typeof node.args === 'string' ? node.args.length : 1 };
    case 'id':
      return { cost: 1, size: scope.get(node.args) ?? unknownSize };
    case '.':
    case '.?':
      return { cost: estimate(node.args[0], scope).cost + 1, size: estimate(node.args[0], scope).size };
    case '[]':
    case '[?]': {
      const [target, index] = node.args.map((part) => estimate(part, scope));
      return { cost: sum([target, index]) + 1, size: target?.size ?? unknownSize };
    }
    case 'list': {
      const items = node.args.map((item) => estimate(item, scope));
      return { cost: sum(items) + 1, size: Math.max(items.length, largest(items)) };
    }
    case 'map': {
      const entries = node.args.flat().map((part) => estimate(part, scope));
      return { cost: sum(entries) + 1, size: Math.max(entries.length, largest(entries)) };
    }
    case 'call':
      return estimateCall(node.args[0], null, node.args[1], scope);
    case 'rcall':
      return estimateCall(node.args[0], node.args[1], node.args[2], scope);
    case '!_':
    case '-_':
      return { cost: estimate(node.args, scope).cost + 1, size: 1 };
    case '?:': {
      const parts = node.args.map((part) => estimate(part, scope));
      return { cost: sum(parts) + 1, size: largest(parts.slice(1)) };
    }
    case '+': {
      const parts = node.args.map((part) => estimate(part, scope));
      const size = parts.reduce((total, part) => total + part.size, 0);
      return { cost: sum(parts) + 1 + size / elementsPerStep, size };
    }
    case 'in':
    case '==':
    case '!=': {
      const parts = node.args.map((part) => estimate(part, scope));
      // Comparing walks through both; most comparisons are of scalars, which end at once.
      return { cost: sum(parts) + (node.op === 'in' ? largest(parts) / 10 : 1), size: 1 };
    }
    default:
      return { cost: sum(node.args.map((part) => estimate(part, scope))) + 1, size: 1 };
  }
}

function estimateCall(
  name: string,
  receiver: ASTNode | null,
  args: readonly ASTNode[],
  scope: Scope,
): Estimate {
  const target = receiver ? estimate(receiver, scope) : { cost: 0, size: 1 };
  if (receiver && isMacro(name)) {
    const [variable, ...bodies] = args;
    const inner = new Map(scope);
    if (variable?.op === 'id') inner.set(variable.args, target.size);
    const body = bodies.map((part) => estimate(part, inner));
    const size = name === 'map' || name === 'filter' ? Math.max(target.size, largest(body)) : 1;
    return { cost: target.cost + target.size * (1 + sum(body)), size };
  }
  const parts = args.map((part) => estimate(part, scope));
  const cost = target.cost + sum(parts) + 1 + Math.max(target.size, largest(parts)) / charactersPerStep;
  if (name === 'matches') return { cost: cost + matchCost(args[0]), size: 1 };
  if (name === 'split') return { cost: cost + maxTextLength, size: Math.max(target.size, maxTextLength) };
  if (name === 'join') return { cost: cost + target.size, size: target.size * largest(parts) + unknownSize };
  return { cost, size: Math.max(target.size, largest(parts)) };
}

/** What the search could take in the longest text. */
function matchCost(pattern: ASTNode | undefined): number {
  const checked =
    pattern?.op === 'value' && typeof pattern.args === 'string' ? checkPattern(pattern.args) : null;
  return checked?.ok ? checked.stepsOn(maxTextLength) / backtracksPerStep : Number.POSITIVE_INFINITY;
}

function sum(parts: readonly (Estimate | undefined)[]): number {
  return parts.reduce((total, part) => total + (part?.cost ?? 0), 0);
}

function largest(parts: readonly Estimate[]): number {
  return parts.reduce((most, part) => Math.max(most, part.size), 0);
}
