import type { ASTNode } from '@marcbachmann/cel-js';
import { environment } from './environment.js';

/** Whether an expression cannot hold for any data: it uses no variable and is not true. */
export function isNeverTrue(text: string): boolean {
  try {
    const expression = environment.parse(text);
    return isConstant(expression.ast) && expression() !== true;
  } catch {
    return false;
  }
}

/** Recognizes only simple constants: literals combined by logical and comparison operators. */
function isConstant(node: ASTNode): boolean {
  switch (node.op) {
    case 'value':
      return true;
    case '!_':
      return isConstant(node.args);
    case '&&':
    case '||':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return node.args.every(isConstant);
    default:
      return false;
  }
}
