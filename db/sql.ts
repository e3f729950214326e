/** A piece of SQL with its bindings, in the order of their placeholders (`?`). */
export interface Sql {
  readonly text: string;
  readonly bindings: readonly unknown[];
}

/**
 * Composes the text of a `statement` of variable form from pieces with their bindings, as the lists of records need it,
 * where Objection takes too long (docs/decisions/0035-speed.md). A constant statement is written as a text.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  let text = texts[0] ?? '';
  const bindings: unknown[] = [];
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) {
      text += part.text;
      bindings.push(...part.bindings);
    } else {
      text += '?';
      bindings.push(part);
    }
    text += texts[index + 1] ?? '';
  }
  return { text, bindings };
}

/** A piece that is constant in the code. Never pass user input: it would not be escaped. */
export function raw(text: string): Sql {
  return { text, bindings: [] };
}

/** Joins pieces with a text between them. */
export function joined(pieces: readonly Sql[], between: string): Sql {
  return {
    text: pieces.map(({ text }) => text).join(between),
    bindings: pieces.flatMap(({ bindings }) => bindings),
  };
}

function isSql(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && 'bindings' in part;
}
