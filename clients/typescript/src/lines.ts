import { StreamError } from './problems.js';

/** Decodes a body as UTF-8, piece by piece. Leaving the iteration ends the request. */
export async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield decoder.decode(next.value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads newline-delimited JSON. @throws StreamError for the line that reports a failure */
export async function* jsonLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void> {
  let rest = '';
  for await (const text of texts(body)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parsed(line);
  }
  if (rest !== '') yield parsed(rest);
}

function parsed<Line>(line: string): Line {
  const value = JSON.parse(line);
  if (value.type === 'error') throw new StreamError(value);
  return value;
}
