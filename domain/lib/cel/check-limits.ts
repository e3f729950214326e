import type { ASTNode } from '@marcbachmann/cel-js';
import { checkPattern } from '../safe-pattern.js';
import { celLimits } from './environment.js';
import { isMacro, operandsOf } from './syntax.js';

export interface CelIssue {
  message: string;
  /** Character offset in the expression, from 0. */
  position: number;
}

/**
 * Built-in namespaces of the evaluator, which are not part of the context. `cel.bind` would let an expression double
 * lists.
 */
const refusedNames = new Set(['cel', 'google', 'optional']);

/**
 * Checks the names, patterns and macros of a parsed expression against the limits.
 *
 * @returns the first problem, or null
 */
export function checkLimits(root: ASTNode): CelIssue | null {
  let macroCount = 0;

  function visit(node: ASTNode, nesting: number): CelIssue | null {
    if (node.op === 'id' && refusedNames.has(node.args)) {
      return { message: `Unknown variable: ${node.args}`, position: node.start };
    }
    if (node.op !== 'rcall') return firstIssue(operandsOf(node), nesting);

    const [name, receiver, args] = node.args;
    if (name === 'matches') {
      const issue = checkMatch(args[0], node.start);
      if (issue) return issue;
    }
    if (!isMacro(name)) return firstIssue(operandsOf(node), nesting);
    macroCount += 1;
    if (macroCount > celLimits.maxMacros) {
      return { message: `More than ${celLimits.maxMacros} macros`, position: node.start };
    }
    if (nesting >= celLimits.maxMacroNesting) {
      return { message: `Macros nested more than ${celLimits.maxMacroNesting} deep`, position: node.start };
    }
    return visit(receiver, nesting) ?? firstIssue(args, nesting + 1);
  }

  function firstIssue(nodes: readonly ASTNode[], nesting: number): CelIssue | null {
    for (const node of nodes) {
      const issue = visit(node, nesting);
      if (issue) return issue;
    }
    return null;
  }

  return visit(root, 0);
}

/**
 * Requires a literal pattern, so that it can be checked when the expression is saved: a pattern from data could hang
 * the evaluator.
 */
function checkMatch(pattern: ASTNode | undefined, position: number): CelIssue | null {
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') {
    return { message: 'matches() needs a literal pattern', position };
  }
  const checked = checkPattern(pattern.args);
  return checked.ok ? null : { message: `The pattern ${checked.message}`, position: pattern.start };
}
