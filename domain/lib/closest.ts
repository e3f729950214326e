const maxListed = 10;
const maxEdits = 2;

/** What an author may have meant, for the end of a message: the closest names, else those that there are. */
export function suggestion(name: string, known: readonly string[]): string {
  const close = closestTo(name, known);
  if (close.length > 0) return `; did you mean ${close.map((one) => `"${one}"`).join(' or ')}?`;
  if (known.length === 0) return '; known: none';
  const listed = known.slice(0, maxListed).join(', ');
  return `; known: ${listed}${known.length > maxListed ? ' and others' : ''}`;
}

/** The names that differ least, in at most two characters or in case alone; at most two of them. */
function closestTo(name: string, known: readonly string[]): string[] {
  const sought = name.toLowerCase();
  let least = Math.min(maxEdits, Math.floor(name.length / 2));
  let close: string[] = [];
  for (const one of known) {
    const edits = editsBetween(sought, one.toLowerCase(), least);
    if (edits > least) continue;
    if (edits < least) close = [];
    least = edits;
    close.push(one);
  }
  return close.slice(0, 2);
}

/** The Levenshtein distance, or a number above `most` if it is more; `i` and `j`: where the texts begin to differ. */
function editsBetween(left: string, right: string, most: number, i = 0, j = 0): number {
  let [at, other] = [i, j];
  while (at < left.length && left[at] === right[other]) {
    at += 1;
    other += 1;
  }
  const [restOfLeft, restOfRight] = [left.length - at, right.length - other];
  if (restOfLeft === 0 || restOfRight === 0) return restOfLeft + restOfRight;
  if (most === 0 || Math.abs(restOfLeft - restOfRight) > most) return most + 1;
  const replaced = editsBetween(left, right, most - 1, at + 1, other + 1);
  const dropped = editsBetween(left, right, most - 1, at + 1, other);
  const added = editsBetween(left, right, most - 1, at, other + 1);
  return 1 + Math.min(replaced, dropped, added);
}
