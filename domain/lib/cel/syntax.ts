import type { ASTNode } from '@marcbachmann/cel-js';

const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** Whether a method of this name is a macro, which evaluates its arguments once for each element. */
export function isMacro(name: string): boolean {
  return macros.has(name);
}

/** The child nodes of a node. */
export function operandsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}
