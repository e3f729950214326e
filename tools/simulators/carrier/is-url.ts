/** Not `URL.canParse`, which Node 20 answers wrongly for Latin-1 text once compiled (`domain/lib/parse-url.ts`). */
export function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
