const mostValues = 5_000;
const mostCharacters = 262_144;

/** Whether a parsed body is small enough to be checked for all of its errors. */
export function isWithinComplexityLimit(value: unknown): boolean {
  let values = 0;
  let characters = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    values += 1;
    if (typeof next === 'string') characters += next.length;
    if (values + waiting.length > mostValues || characters > mostCharacters) return false;
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).slice(0, mostValues));
  }
  return true;
}
