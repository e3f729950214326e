import { celVariableNames, type SeenContext } from './variables.js';

/** Limits on the records of a member that are loaded. A single record of the maximum size always fits. */
export const celDataBounds = { maxRecords: 200, maxBytes: 512 * 1_024 };

/** Bounds on the data that an expression sees. `estimate-cost.ts` relies on them. */
export const maxListLength = 200;
/** The maximum number of tasks in a definition (`check-revision.ts`). */
export const maxTaskNames = 500;
export const maxTextLength = 4_000;
const maxDepth = 16;
/** The maximum characters of texts and keys, plus `weightOfValue` for each value. The rest is left out. */
const maxWeight = 1_048_576;
const weightOfValue = 4;

const bounded = new WeakMap<SeenContext, Record<string, unknown>>();

/**
 * Cuts lists and texts to their bounds, and turns whole numbers into CEL `int`: otherwise `age + 1` fails, because 18
 * is a `double` and 1 is an `int`.
 */
export function boundContext(context: SeenContext): Record<string, unknown> {
  const known = bounded.get(context);
  if (known) return known;
  const copy = new BoundedCopy();
  // Copy the records last, so that large records cannot use up the size limit for the other variables.
  const { member, ...others } = context;
  const { form_data, data, ...person } = member;
  const copies: Record<string, unknown> = {};
  for (const name of celVariableNames) {
    if (name !== 'member')
      copies[name] = copy.of(others[name], name === 'tasks' ? maxTaskNames : maxListLength);
  }
  copies.member = { ...(copy.of(person) as object), form_data: copy.of(form_data), data: copy.of(data) };
  bounded.set(context, copies);
  return copies;
}

class BoundedCopy {
  #left = maxWeight;

  of(value: unknown, maxItems = maxListLength, depth = maxDepth): unknown {
    this.#left -= weightOfValue;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (depth === 0) return null;
    if (Array.isArray(value)) return this.#list(value, maxItems, depth - 1);
    return this.#map(value, maxItems, depth - 1);
  }

  #text(text: string): string {
    const cut = text.length > maxTextLength ? text.slice(0, maxTextLength) : text;
    this.#left -= cut.length;
    return cut;
  }

  #list(list: readonly unknown[], maxItems: number, depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (copy.length >= maxItems || this.#left <= 0) break;
      copy.push(this.of(item, maxItems, depth));
    }
    return copy;
  }

  #map(map: object, maxItems: number, depth: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    let count = 0;
    for (const [key, item] of Object.entries(map)) {
      if (item === undefined) continue;
      if (count >= maxItems || this.#left <= 0) break;
      count += 1;
      this.#left -= key.length;
      copy[key] = this.of(item, maxItems, depth);
    }
    return copy;
  }
}
