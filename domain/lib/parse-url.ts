/**
 * Parses an absolute URL; undefined for any other text. Not `URL.canParse`: in Node 20 it answers false for a text with
 * `ä` once V8 has compiled its caller (`test/domain/lib/parse-url.test.ts`).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
