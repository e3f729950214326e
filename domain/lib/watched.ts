import vm from 'node:vm';

export class WatchEnded extends Error {
  override readonly name = 'WatchEnded';
}

let evaluating: () => unknown = () => undefined;
const realm = vm.createContext({ evaluate: () => evaluating() });
const script = new vm.Script('evaluate()');

/**
 * Runs a synchronous evaluation with a timeout. JavaScript cannot interrupt it, but V8 can, even within a regular
 * expression. Costs a tenth of a millisecond.
 * @param milliseconds a whole number above 0
 * @throws WatchEnded
 */
export function watched<T>(milliseconds: number, evaluate: () => T): T {
  evaluating = evaluate;
  try {
    return script.runInContext(realm, { timeout: milliseconds }) as T;
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new WatchEnded('The evaluation took too long.');
    throw error;
  } finally {
    evaluating = () => undefined;
  }
}
