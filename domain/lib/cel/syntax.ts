import type { ASTNode } from '@marcbachmann/cel-js';

const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** Whether a method of this name is a macro, which evaluates its arguments once for each element. */
export function isMacro(name: string): boolean {
  return macros.has(name);
}

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

/** Slugs of the data types whose records an expression can read, or `all` if they cannot be determined. */
export type NamedData = ReadonlySet<string> | 'all';

const groups = new Set(['data', 'form_data']);

/** The data types that an expression refers to, as in `member.data.visits` or `member.form_data["intake"]`. */
export function namedData(root: ASTNode): NamedData {
  const slugs = new Set<string>();
  return collect(root, slugs) ? slugs : 'all';
}

/** Collects the slugs that a node refers to. @returns false if the node reads data without naming the data type */
function collect(node: ASTNode, slugs: Set<string>): boolean {
  if (node.op === 'id') return node.args !== 'member';
  const access = accessOf(node);
  if (access === undefined) return operandsOf(node).every((operand) => collect(operand, slugs));
  const { target, key } = access;
  if (isMember(target)) return !groups.has(key);
  const group = accessOf(target);
  if (group === undefined || !isMember(group.target) || !groups.has(group.key)) return collect(target, slugs);
  slugs.add(key);
  return true;
}

/** The target and the key of a field access, with the offset of the key; undefined for any other node. */
export function accessOf(node: ASTNode): { target: ASTNode; key: string; position: number } | undefined {
  if (node.op === '.' || node.op === '.?') {
    return { target: node.args[0], key: String(node.args[1]), position: node.pos };
  }
  if (node.op !== '[]' && node.op !== '[?]') return undefined;
  const [target, index] = node.args;
  if (index.op !== 'value' || typeof index.args !== 'string') return undefined;
  return { target, key: index.args, position: index.pos };
}

function isMember(node: ASTNode): boolean {
  return node.op === 'id' && node.args === 'member';
}
