/** A quoted or unquoted item up to the next comma. The alternatives do not overlap, which keeps backtracking short. */
const itemForm = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(?:,|$)/y;
const needsQuotes = /^$|[",\r\n]|^\s|\s$/;

/** Formats several texts for one cell, separated by commas and quoted where needed. No texts give an empty cell. */
export function formatList(items: readonly string[]): string {
  return items.map((item) => (needsQuotes.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(',');
}

/** Undoes `formatList`, and accepts lists written by hand. Returns null if the quotes do not match. */
export function parseList(cell: string): string[] | null {
  const items: string[] = [];
  for (let at = 0; at < cell.length; ) {
    itemForm.lastIndex = at;
    const found = itemForm.exec(cell);
    if (found === null) return null;
    const [, quoted, plain = ''] = found;
    if (quoted !== undefined) items.push(quoted.replaceAll('""', '"'));
    else if (plain.trim() !== '') items.push(plain.trim());
    at = itemForm.lastIndex;
  }
  return items;
}
