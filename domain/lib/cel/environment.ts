import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { checkPattern } from '../safe-pattern.js';
import { registerFunctions } from './standard/functions.js';
import { isMacro, operandsOf } from './syntax.js';
import type { CelContext } from './variables.js';

/** Checked when an expression is compiled, because JavaScript cannot interrupt a synchronous evaluation. */
export const celLimits = { maxLength: 2_000, maxMacros: 10, maxMacroNesting: 2 } as const;

const variableTypes: Record<keyof CelContext, string> = {
  member: 'map',
  assignment: 'map',
  chat: 'map',
  tasks: 'map',
  call: 'dyn',
  now: 'google.protobuf.Timestamp',
};

export const environment = createEnvironment(variableTypes);

const { member, chat, now } = variableTypes;
/** Of a text that belongs to no assignment. */
export const environmentOfChats = createEnvironment({ member, chat, now });

export function createEnvironment(variables: Readonly<Record<string, string>>): Environment {
  const created = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 300, maxDepth: 40, maxListElements: 100, maxMapEntries: 50, maxCallArguments: 8 },
  });
  for (const [name, type] of Object.entries(variables)) created.registerVariable(name, type);
  registerFunctions(created);
  return created;
}

export interface CelIssue {
  message: string;
  /** Character offset in the expression, from 0. */
  position: number;
}

/** Built-in namespaces of the evaluator. `cel.bind` would let an expression double lists. */
const refusedNames = new Set(['cel', 'optional']);

/** Checks the names, patterns and macros of a parsed expression. @returns the first problem, or null */
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

/** Requires a literal pattern, so that it can be checked in advance: one from data could hang the evaluator. */
function checkMatch(pattern: ASTNode | undefined, position: number): CelIssue | null {
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') {
    return { message: 'matches() needs a literal pattern', position };
  }
  if (pattern.args === '') return null;
  const checked = checkPattern(pattern.args);
  return checked.ok ? null : { message: `The pattern ${checked.message}`, position: pattern.start };
}

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
