import type { ASTNode } from '@marcbachmann/cel-js';
import type { CelIssue } from '../environment.js';
import { operandsOf } from '../syntax.js';

/** Checks the literal keys of maps, which the evaluator takes as texts. @returns the first problem, or null */
export function checkMapKeys(node: ASTNode): CelIssue | null {
  if (node.op === 'map') {
    const seen = new Set<string>();
    for (const [{ op, args, start: position }] of node.args) {
      if (op !== 'value') continue;
      if (args === null || typeof args === 'number' || args instanceof Uint8Array) {
        return { message: 'A key of a map must be a text, a whole number, true or false', position };
      }
      const key = String(args);
      if (seen.has(key)) return { message: `The map has the key ${key} twice`, position };
      seen.add(key);
    }
  }
  for (const operand of operandsOf(node)) {
    const issue = checkMapKeys(operand);
    if (issue) return issue;
  }
  return null;
}
