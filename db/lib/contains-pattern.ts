/** Returns an `ilike` pattern for "contains this text", with the wildcards of the text escaped; texts are stored composed. */
export function containsPattern(text: string): string {
  return `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
}
