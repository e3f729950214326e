/** A text parsed as JSON, or where it stops being JSON, counted from 1. */
export type ParsedJson = { value: unknown } | { line: number; column: number } | { line?: never };

/** Longer texts are not searched for the place: it takes twenty parses. */
const longestSearched = 65_536;

/** Parses JSON. The engine's own message quotes the text, so it is not passed on. */
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

/** V8 does not say where an unexpected token stands: at the end of the shortest beginning that has one. */
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
