/** First characters of formulas, full-width ones included (https://owasp.org/www-community/attacks/CSV_Injection). */
const starters = '=+\\-@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20';
const formula = new RegExp(`^[\\s']*[${starters}]`, 'u');
/** A number, or a phone number in its stored form, which a spreadsheet does not run. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const neutralized = new RegExp(`^'[\\s']*[${starters}]`, 'u');

/**
 * Puts an apostrophe in front of what a spreadsheet would take for a formula. A formula after apostrophes gets one
 * more, so that `restore` is exact for every text.
 */
export function neutralize(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Undoes `neutralize`: `restore(neutralize(text)) === text`. */
export function restore(cell: string): string {
  return neutralized.test(cell) ? cell.slice(1) : cell;
}
