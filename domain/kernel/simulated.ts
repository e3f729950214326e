import { AsyncLocalStorage } from 'node:async_hooks';

const simulations = new AsyncLocalStorage<true>();

/** Runs `work`, whose changes are rolled back, without telling the observers of the service. */
export function simulating<T>(work: () => Promise<T>): Promise<T> {
  return simulations.run(true, work);
}

export function isSimulated(): boolean {
  return simulations.getStore() !== undefined;
}
