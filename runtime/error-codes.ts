const codeForm = /^[\w.-]{1,64}$/;

/** A frame of a stack, and no line of a message that happens to begin like one: a frame ends with a place in code. */
const frameForm =
  /^ {4}at (?:async )?(?:[^/]*\()?(?:(?:file:\/\/|node:|\/)[^()]*:\d+:\d+|<anonymous>|index \d+)\)?$/;

/** Whether the value has the form of a code, and not of text written by a person. */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && codeForm.test(value);
}

/** A code that may be shown outside the process: messages and details of drivers and providers quote personal data. */
export function safeCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'internal_error';
  if ('code' in error && isCode(error.code)) return error.code;
  const isNamed = error instanceof Error && error.name !== 'Error' && isCode(error.name);
  return isNamed ? error.name : 'internal_error';
}

/** Returns the stack frames of an error, without its message, which may have several lines. */
export function safeFrames(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  const begins = stack.indexOf(message);
  // If the message was replaced after the error was created, the stack still begins with the former one.
  const place = begins === -1 ? stack : stack.slice(begins + message.length);
  return place.split('\n').filter((line) => frameForm.test(line));
}

export function safeStack(error: unknown): string | undefined {
  return error instanceof Error ? safeFrames(error).join('\n') : undefined;
}
