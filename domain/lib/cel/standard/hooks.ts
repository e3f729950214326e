import { type ASTNode, EvaluationError } from '@marcbachmann/cel-js';

interface Checker {
  check(node: ASTNode, context: unknown): CelType;
  getType(name: string): CelType;
}
interface CelType {
  readonly name: string;
}
interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
  debugType(value: unknown): { fieldLazy(of: unknown, field: string, node: ASTNode, ev: Evaluator): unknown };
}
type Check = (checker: Checker, node: ASTNode, context: unknown) => CelType;
type Evaluate = (evaluator: Evaluator, node: ASTNode, context: unknown) => unknown;

/**
 * What a node of the parser has beyond its public type: its check and its evaluation, which the macros of the evaluator
 * replace in the same way. The version of the evaluator is pinned, and the conformance cases fail if this changes.
 */
interface Hooks {
  readonly meta: { readonly check: Check; readonly evaluate: Evaluate };
  setMeta(name: 'check', check: Check): void;
  setMeta(name: 'evaluate', evaluate: Evaluate): void;
  setMeta(name: 'macro', macro: { typeCheck: Check; evaluate: Evaluate }): void;
  setMeta(name: 'async', isAsync: false): void;
  /** The overload that the check chose. */
  handle(...args: unknown[]): unknown;
}

export function hooksOf(node: ASTNode): Hooks {
  return node as unknown as Hooks;
}

/** Adds to the check of the types of a node. */
export function afterCheck(
  node: ASTNode,
  correct: (type: CelType, typeOf: (node: ASTNode) => CelType, named: (name: string) => CelType) => CelType,
): void {
  const hooks = hooksOf(node);
  const { check } = hooks.meta;
  hooks.setMeta('check', (checker, _node, context) =>
    correct(
      check(checker, node, context),
      (operand) => checker.check(operand, context),
      (name) => checker.getType(name),
    ),
  );
}

/** Computes a node from the values of its operands. Where the result is undefined, the evaluator computes it. */
export function instead(
  node: ASTNode,
  operands: readonly ASTNode[],
  compute: (values: readonly unknown[]) => unknown,
): void {
  const hooks = hooksOf(node);
  hooks.setMeta('evaluate', (evaluator, _node, context) => {
    const values = operands.map((operand) => evaluator.run(operand, context));
    return located(node, () => compute(values)) ?? handle(node, values, evaluator);
  });
}

/** Lets the evaluator compute a node from other values of its operands. */
export function withOperands(
  node: ASTNode,
  operands: readonly ASTNode[],
  replace: (values: readonly unknown[]) => readonly unknown[],
): void {
  hooksOf(node).setMeta('evaluate', (evaluator, _node, context) =>
    handle(node, replace(operands.map((operand) => evaluator.run(operand, context))), evaluator),
  );
}

function handle(node: ASTNode, values: readonly unknown[], evaluator: Evaluator): unknown {
  const hooks = hooksOf(node);
  if (node.op === 'rcall') return hooks.handle(values, evaluator, node);
  return node.op === 'call'
    ? hooks.handle(values, node, evaluator)
    : hooks.handle(...values, node, evaluator);
}

/** Checks the result of a node before the expression around it sees it. */
export function afterwards(node: ASTNode, check: (value: unknown) => unknown): void {
  const hooks = hooksOf(node);
  const { evaluate } = hooks.meta;
  hooks.setMeta('evaluate', (evaluator, _node, context) => {
    const value = evaluate(evaluator, node, context);
    located(node, () => check(value));
    return value;
  });
}

function located<Result>(node: ASTNode, compute: () => Result): Result {
  try {
    return compute();
  } catch (error) {
    throw error instanceof EvaluationError ? error.withAst(node) : error;
  }
}
