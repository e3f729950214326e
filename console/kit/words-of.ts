/** The words of a code, or the code itself as words where the console has none for it. */
export function wordsOf(code: string, texts: Readonly<Record<string, string>> = {}): string {
  return texts[code] ?? code.replaceAll('_', ' ');
}
