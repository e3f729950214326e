import type { Entry, Simulation } from '../../domain/simulation/entries.js';
import type { Expectation, ExpectedEntry } from './files.js';

/** @returns a sentence for each way in which the walk differs from what is expected; empty if it does not */
export function differencesOf(walk: Simulation, expected: Expectation): string[] {
  const { entries = [], never = [], waitsFor, ...fields } = expected;
  return [
    ...fieldsThatDiffer('', walk as unknown as Fields, fields),
    ...(waitsFor === undefined
      ? []
      : fieldsThatDiffer('waitsFor.', (walk.waitsFor ?? {}) as Fields, waitsFor)),
    ...missingEntries(walk.entries, entries),
    ...never.flatMap((entry) =>
      walk.entries.some((had) => matches(had, entry)) ? [`has the entry ${shown(entry)}`] : [],
    ),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsThatDiffer(prefix: string, had: Fields, expected: Fields): string[] {
  return Object.entries(expected).flatMap(([key, value]) =>
    isLike(had[key], value)
      ? []
      : [`${prefix}${key} is ${JSON.stringify(textOf(had[key]))}, not ${JSON.stringify(value)}`],
  );
}

/** The first expected entry that does not follow those before it; later ones cannot be judged without it. */
function missingEntries(entries: readonly Entry[], expected: readonly ExpectedEntry[]): string[] {
  let from = 0;
  for (const [index, entry] of expected.entries()) {
    const at = entries.findIndex((had, place) => place >= from && matches(had, entry));
    if (at === -1) {
      const before = index === 0 ? '' : ` after ${shown(expected[index - 1] as ExpectedEntry)}`;
      return [`lacks the entry ${shown(entry)}${before}`];
    }
    from = at + 1;
  }
  return [];
}

function matches(entry: Entry, expected: ExpectedEntry): boolean {
  return Object.entries(expected).every(([key, value]) => isLike((entry as unknown as Fields)[key], value));
}

/** A text between slashes is a pattern. */
function isLike(had: unknown, expected: unknown): boolean {
  const text = textOf(had);
  const pattern = typeof expected === 'string' ? /^\/(.+)\/$/s.exec(expected)?.[1] : undefined;
  if (pattern !== undefined) return typeof text === 'string' && new RegExp(pattern, 'su').test(text);
  return text === expected;
}

function textOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function shown(entry: ExpectedEntry): string {
  return JSON.stringify(entry);
}
