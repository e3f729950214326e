/**
 * What may be told of an error outside the process that saw it: a code. A driver's or a provider's message quotes
 * people, and so do the details that hang from it.
 */
export function safeCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'internal_error';
  if ('code' in error && typeof error.code === 'string' && /^[\w.-]{1,64}$/.test(error.code))
    return error.code;
  return error instanceof Error && error.name !== 'Error' ? error.name : 'internal_error';
}

/** Where an error came from, without its message. */
export function safeStack(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  return error.stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
