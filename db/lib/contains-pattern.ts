/** An `ilike` pattern for "contains this text": its wildcards are taken literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
