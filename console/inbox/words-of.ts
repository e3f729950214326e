/** The words of a code, or the code itself as words if a later release of the service has it. */
export function wordsOf(texts: Readonly<Record<string, string>>, code: string): string {
  return texts[code] ?? code.replaceAll('_', ' ');
}
