/** What a table shows. */
export interface Table {
  head: readonly string[];
  rows: readonly (readonly [string, ...(string | number)[]])[];
}

/** A table as CSV (RFC 4180). Texts that a spreadsheet would calculate get an apostrophe. */
export function csvOf({ head, rows }: Table): string {
  const cell = (value: string | number) => {
    if (typeof value === 'number') return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
