import pg from 'pg';

/** The type's oid, which the driver knows and has no name for. */
export const textArrayType = 1009 as typeof pg.types.builtins.TEXT;
const parse = pg.types.getTypeParser(textArrayType) as (text: string) => (string | null)[];
/** Quotes, nested arrays, bounds and nulls. */
const special = /["\\[]|null|^\{.*\{/i;

/**
 * Reads a `text[]`. One of plain words, such as the permissions that every request reads, is split at its commas; all
 * others go to the driver's parser, which reads letter by letter.
 */
export function parseTextArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  return special.test(text) ? parse(text) : text.slice(1, -1).split(',');
}
