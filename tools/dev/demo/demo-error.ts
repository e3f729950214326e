/** An error whose message is printed on the terminal without a stack trace. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
