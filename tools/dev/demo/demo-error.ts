/** A sentence for the person at the terminal. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
