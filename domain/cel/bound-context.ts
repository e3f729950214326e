import { type CelContext, celVariables } from './context.js';

/** Bounds of what an expression sees; `estimate-cost.ts` reckons with them. */
export const maxListLength = 1_000;
export const maxTextLength = 4_000;
const maxDepth = 16;

const bounded = new WeakMap<CelContext, Record<string, unknown>>();

/**
 * The context as the evaluator wants it: lists and texts cut to their bounds, whole numbers as CEL `int`.
 *
 * JSON knows one kind of number and CEL two. Without the change `age + 1` fails, because 18 would be a
 * `double` and 1 is an `int`.
 */
export function boundContext(context: CelContext): Record<string, unknown> {
  const known = bounded.get(context);
  if (known) return known;
  const copy = Object.fromEntries(celVariables.map((name) => [name, bound(context[name], maxDepth)]));
  bounded.set(context, copy);
  return copy;
}

function bound(value: unknown, depth: number): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value.length > maxTextLength ? value.slice(0, maxTextLength) : value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, maxListLength).map((item) => bound(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .slice(0, maxListLength)
      .map(([key, item]) => [key, bound(item, depth - 1)]),
  );
}
