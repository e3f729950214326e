import { TypeError as CelTypeError, EvaluationError } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { type Compiled, checkNew, compileIn, type Refused, refuse } from './cel/compile.js';
import { boundContext } from './cel/context.js';
import { celLimits, environment, environmentOfChats } from './cel/environment.js';
import { EvaluationTooLong, withinBudget } from './cel/evaluation-budget.js';
import { type ExpressionFacts, factsOf, noFacts } from './cel/inspect.js';
import { canHold, isFixed, unreadableTimes } from './cel/possible.js';
import { formatDuration } from './cel/standard/times.js';
import { accessOf, type NamedData, namedData } from './cel/syntax.js';
import type { CelContext, SeenContext } from './cel/variables.js';

export { celDataBounds } from './cel/context.js';
export type { CelIssue } from './cel/environment.js';
export { maxCost } from './cel/estimate-cost.js';
export { isOverBudget } from './cel/evaluation-budget.js';
export type { ComparedType, ExpressionFacts, RecordField } from './cel/inspect.js';
export type { NamedData } from './cel/syntax.js';
export type { CelContext, CelField, CelRecord, CelValue, SeenContext } from './cel/variables.js';
export { celVariables } from './cel/variables.js';

/** `cost` is in estimated steps, so that the costs of several expressions can be added up. */
export type CelCheck = { ok: true; cost: number } | Refused;

/**
 * Why an evaluation failed. Neither `message` nor `code` quotes data, because both may be logged. A missing field is
 * named in `message` as the expression names it.
 */
export interface CelFailure {
  code: string;
  message: string;
  position: number;
}
export type CelResult<Value = unknown> = { ok: true; value: Value } | { ok: false; error: CelFailure };

/** Expressions come from revisions, which are few and immutable. The oldest entry is evicted first. */
const compiled = new Map<string, Compiled>();
const maxCompiled = 5_000;

/** Results by context and text. They cannot become stale, because a context is an immutable snapshot. */
const evaluated = new WeakMap<SeenContext, Map<string, CelResult>>();

/**
 * Checks whether an expression may be saved: it parses, its types fit, it uses only known variables and it stays within
 * the limits. Guards and conditions expect `boolean`.
 */
export function checkExpression(text: string, expects: 'any' | 'boolean' = 'any'): CelCheck {
  const result = compile(text);
  if (!result.ok) return result;
  if (expects === 'boolean' && result.type !== 'bool' && result.type !== 'dyn') {
    return refuse(`Must be true or false, but is ${result.type}`);
  }
  return checkNew(result) ?? { ok: true, cost: result.cost };
}

/** As `checkExpression`, for a text that belongs to no assignment: it sees the member without records, the chat and the time. */
export function checkExpressionOfChat(text: string): CelCheck {
  const result = compileIn(environmentOfChats, text);
  if (!result.ok) return result;
  const [unknown] = factsOf(result.run.ast).unknownFields;
  if (unknown !== undefined) return refuse(`There is no ${unknown.path}`, unknown.position);
  const named = namedData(result.run.ast);
  if (named === 'all' || named.size > 0) return refuse('Records of the member are not seen here');
  return checkNew(result) ?? { ok: true, cost: result.cost };
}

/** Empty if the expression does not compile. */
export function dataNamedIn(text: string): NamedData {
  if (!text.includes('member')) return new Set();
  const result = compile(text);
  return result.ok ? namedData(result.run.ast) : new Set();
}

/**
 * What an expression says about its definition: the fields it reads, and the texts it compares with names of tasks,
 * slugs of labels and fields of records. Nothing if it does not compile, which `checkExpression` reports.
 */
export function inspectExpression(text: string): ExpressionFacts {
  const result = compile(text);
  return result.ok ? factsOf(result.run.ast) : noFacts();
}

/** Whether a condition can hold, given which tasks can have been entered (`cel/possible.ts`). */
export function mayHold(text: string, canBeVisited: (taskName: string) => boolean): boolean {
  const result = compile(text);
  return !result.ok || canHold(result.run.ast, canBeVisited);
}

/** Texts that an expression gives to `timestamp` or `duration` and that these cannot read. */
export function unreadableTimesIn(text: string): { call: string; text: string }[] {
  if (!text.includes('timestamp') && !text.includes('duration')) return [];
  const result = compile(text);
  return result.ok ? unreadableTimes(result.run.ast) : [];
}

/** Whether an expression has the same value for any data. */
export function isFixedExpression(text: string): boolean {
  const result = compile(text);
  return result.ok && isFixed(result.run.ast);
}

/**
 * Evaluates an expression to plain JSON (timestamps as ISO 8601). All evaluations over one context share a budget; once
 * it is used up, they fail (docs/decisions/0065-evaluation-has-a-budget.md).
 */
export function evaluate(text: string, context: SeenContext): CelResult {
  let results = evaluated.get(context);
  if (results === undefined) {
    results = new Map();
    evaluated.set(context, results);
  }
  let result = results.get(text);
  if (result === undefined) {
    result = evaluateAnew(text, context);
    results.set(text, result);
  }
  return result;
}

function evaluateAnew(text: string, context: SeenContext): CelResult {
  const result = compile(text);
  if (!result.ok) return failure('invalid_expression', result.position);
  try {
    const value = withinBudget(context, result.cost, () => toPlain(result.run(boundContext(context))));
    return { ok: true, value };
  } catch (error) {
    if (error instanceof EvaluationTooLong) return failure('took_too_long', 0);
    if (error instanceof EvaluationError || error instanceof CelTypeError) {
      const missing = error.code === 'no_such_key' && error.node ? accessOf(error.node)?.key : undefined;
      return failure(error.code, error.range?.start ?? 0, missing);
    }
    return failure('evaluation_failed', 0);
  }
}

/** Whether a guard or condition holds. A failed evaluation, for instance because of a missing key, counts as false. */
export function evaluateCondition(text: string, context: CelContext): boolean {
  const result = evaluate(text, context);
  return result.ok && result.value === true;
}

/** Why a condition could not be evaluated; undefined if it holds, or does not hold. */
export function failureOf(text: string, context: CelContext): CelFailure | undefined {
  const result = evaluate(text, context);
  return result.ok ? undefined : result.error;
}

/** Null becomes the empty string, lists are joined with commas, and maps are an error. */
export function evaluateText(text: string, context: SeenContext): CelResult<string> {
  const result = evaluate(text, context);
  if (!result.ok) return result;
  const value = toText(result.value);
  return value === null ? failure('not_text', 0) : { ok: true, value };
}

function compile(text: string): Compiled {
  const known = compiled.get(text);
  if (known) return known;
  const result = compileIn(environment, text);
  // Overlong texts are cheap to refuse, so they are not cached.
  if (text.length > celLimits.maxLength) return result;
  const oldest = compiled.size >= maxCompiled ? compiled.keys().next().value : undefined;
  if (oldest !== undefined) compiled.delete(oldest);
  compiled.set(text, result);
  return result;
}

function failure(code: string, position: number, missing?: string): { ok: false; error: CelFailure } {
  const words = code.replaceAll('_', ' ');
  const message = missing === undefined ? `${words} at ${position}` : `${words}: ${missing}`;
  return { ok: false, error: { code, message, position } };
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Duration) return formatDuration(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
  }
  return String(value);
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const parts = value.map(toText);
    return parts.includes(null) ? null : parts.join(', ');
  }
  return typeof value === 'object' ? null : String(value);
}
