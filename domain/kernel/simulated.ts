import { AsyncLocalStorage } from 'node:async_hooks';

/** What becomes of a call that a simulation places. */
export const simulatedCallOutcomes = ['answered', 'busy', 'no-answer', 'failed', 'voicemail'] as const;
export type SimulatedCallOutcome = (typeof simulatedCallOutcomes)[number];

/** The calls of a simulation, which are placed nowhere. */
export interface SimulatedCalls {
  /** Of the calls from here on. */
  outcome: SimulatedCallOutcome;
  /** The number that calls; undefined before the simulation has one. */
  phoneNumberId: number | undefined;
  /** The assignment tasks in which the member is on the phone: the walk goes on there, in the chat. */
  readonly answeredIn: Set<number>;
}

const simulations = new AsyncLocalStorage<SimulatedCalls>();

/** Runs `work`, whose changes are rolled back, without telling the observers of the service. */
export function simulating<T>(work: () => Promise<T>): Promise<T> {
  return simulations.run({ outcome: 'answered', phoneNumberId: undefined, answeredIn: new Set() }, work);
}

export function isSimulated(): boolean {
  return simulations.getStore() !== undefined;
}

/** Undefined outside of simulations. */
export function simulatedCalls(): SimulatedCalls | undefined {
  return simulations.getStore();
}
