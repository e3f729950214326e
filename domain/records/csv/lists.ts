/** An item in quotes, or one without, up to the next comma. Never tries a character twice for long. */
const itemForm = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(?:,|$)/y;
const needsQuotes = /^$|[",\r\n]|^\s|\s$/;

/**
 * Several texts in one cell: separated by commas; one that holds a comma, a quote or blanks at its ends stands in
 * quotes, with its own quotes doubled. No texts are an empty cell.
 */
export function formatList(items: readonly string[]): string {
  return items.map((item) => (needsQuotes.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(',');
}

/**
 * Undoes `formatList`, and takes what people write: blanks around items, and commas with nothing between, do not count.
 *
 * @returns null when its quotes do not match
 */
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
