/** A parsed JSON text, or the position of its first error, counted from 1. */
export type ParsedJson = { value: unknown } | { line: number; column: number } | { line?: never };

/** The position is not searched for in longer texts, because the search takes up to twenty parses. */
const longestSearched = 65_536;

/** Parses JSON. The engine's error message quotes the text, so it is not passed on. */
export function parseJsonText(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const at = positionIn(text, (error as SyntaxError).message);
    if (at === undefined) return {};
    const before = text.slice(0, at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

function positionIn(text: string, message: string): number | undefined {
  const [, told] = / at position (\d+)/.exec(message) ?? [];
  if (told !== undefined) return Number(told);
  if (!isUnexpectedToken(message)) return text.length;
  return text.length > longestSearched ? undefined : shortestRefused(text) - 1;
}

/**
 * V8 does not report the position of an unexpected token: it is at the end of the shortest prefix that contains one.
 */
function shortestRefused(text: string): number {
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return isUnexpectedToken((error as SyntaxError).message);
  }
}

function isUnexpectedToken(message: string): boolean {
  return message.startsWith('Unexpected token');
}
