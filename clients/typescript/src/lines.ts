import { StreamError } from './problems.js';

/** Reads a body piece by piece. Leaving the iteration ends the request. */
export async function* chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Decodes a body as UTF-8, piece by piece. */
export async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks(body)) yield decoder.decode(chunk, { stream: true });
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
