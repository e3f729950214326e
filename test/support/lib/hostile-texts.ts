/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What CSV, spreadsheets and lists within cells stumble over. */
const morsels = [
  ...['=', '+', '-', '@', '\t', '\r', '\n', '\r\n', '＝', '＋', '－', '＠'],
  ...["'", "''", '"', '""', ',', ';', '|', '%', '\\', '\\"', '\u00a0', ' ', '\ufeff', '\u2028', '\u0085'],
  ...['=1+1', "'=1+1", '@SUM(A1)', '+12025550123', '-5', '0', '1e3', 'true', 'null', '[]', '{}', '[""]'],
  ...[
    'é',
    'ß',
    'e\u0301',
    '東京',
    '👩‍👩‍👧',
    '🇳🇴',
    'שלום',
    '\u202eمرحبا\u202c',
    '\u200f',
    '𝒳',
    'a',
    'Z',
    '__proto__',
  ],
];

/** Texts that are hard to carry through a CSV file, never the same few: `pick` is `seeded(…)`. */
export function hostileText(pick: () => number, max = 6): string {
  const length = Math.floor(pick() * (max + 1));
  return Array.from({ length }, () => oneOf(pick, morsels)).join('');
}

export function oneOf<T>(pick: () => number, things: readonly T[]): T {
  const thing = things[Math.floor(pick() * things.length)];
  if (thing === undefined) throw new Error('there is nothing to pick from');
  return thing;
}
