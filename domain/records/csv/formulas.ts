/**
 * What a spreadsheet may run when a cell begins with it, behind blanks too, and the full-width forms that some of them
 * take for the same (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const starters = '=+\\-@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20';
const formula = new RegExp(`^[\\s']*[${starters}]`, 'u');
/** A number, or a phone number as we store them: a spreadsheet runs nothing there. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const neutralized = new RegExp(`^'[\\s']*[${starters}]`, 'u');

/**
 * A text as it may stand in a cell: what a spreadsheet would take for a formula gets an apostrophe in front, which marks
 * it as text; cells that are only a number or a phone number stay as they are, for programs that read the file. So does what looks as if it had been given one, so that `restore`
 * undoes this for every text, and leaves alone words that only begin with an apostrophe.
 */
export function neutralize(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Undoes `neutralize`: `restore(neutralize(text)) === text`. A text that no formula hides in stays as it is. */
export function restore(cell: string): string {
  return neutralized.test(cell) ? cell.slice(1) : cell;
}
