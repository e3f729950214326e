const codeForm = /^[\w.-]{1,64}$/;

/** A line of a stack, but for those of a message that happen to begin like one: a place in code stands at its end. */
const frameForm =
  /^ {4}at (?:async )?(?:[^/]*\()?(?:(?:file:\/\/|node:|\/)[^()]*:\d+:\d+|<anonymous>|index \d+)\)?$/;

/** Whether it looks like a code, and not like something that somebody wrote. */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && codeForm.test(value);
}

/**
 * What may be told of an error outside the process that saw it: a code. A driver's or a provider's message quotes
 * people, and so do the details that hang from it.
 */
export function safeCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'internal_error';
  if ('code' in error && isCode(error.code)) return error.code;
  return error instanceof Error && error.name !== 'Error' && isCode(error.name)
    ? error.name
    : 'internal_error';
}

/** Where an error came from, without its message, whatever lines that has. */
export function safeFrames(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  const begins = stack.indexOf(message);
  // A message that was replaced since stands nowhere in the stack, but the one before it does.
  const place = begins === -1 ? stack : stack.slice(begins + message.length);
  return place.split('\n').filter((line) => frameForm.test(line));
}

/** The same as a text, as histories and logs have it. */
export function safeStack(error: unknown): string | undefined {
  return error instanceof Error ? safeFrames(error).join('\n') : undefined;
}
