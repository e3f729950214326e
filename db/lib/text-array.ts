import pg from 'pg';

/** The type's oid, which the driver knows but does not name. */
export const textArrayType = 1009 as typeof pg.types.builtins.TEXT;
const parse = pg.types.getTypeParser(textArrayType) as (text: string) => (string | null)[];
/** Matches quotes, escapes, bounds, nulls and nested arrays. */
const special = /["\\[]|null|^\{.*\{/i;

/**
 * Parses a `text[]`. An array of plain words, such as the permissions that every request reads, is split at its commas.
 * All others go to the driver's parser, which reads character by character.
 */
export function parseTextArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  return special.test(text) ? parse(text) : text.slice(1, -1).split(',');
}
