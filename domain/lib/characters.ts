/** Counts Unicode characters (code points), as the `maxLength` of JSON Schema does: an emoji counts once. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has more than `most` characters. Much longer texts are not counted. */
export function exceeds(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || countCharacters(text) > most);
}
