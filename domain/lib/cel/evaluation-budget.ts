import { WatchEnded, watched } from '../watched.js';
import type { SeenContext } from './variables.js';

/** Expressions up to this estimated cost, a tenth of a millisecond, are evaluated without a timeout. */
const fewSteps = 2_000;
/** Total steps of such expressions over one context. */
const fewStepsTogether = 300_000;
/** Total milliseconds of all other expressions over one context. */
const watchedMs = 30;

/** What the evaluations over one context have used so far. */
type Budget = { steps: number; milliseconds: number; isExceeded: boolean };
const budgets = new WeakMap<SeenContext, Budget>();

export function isOverBudget(context: SeenContext): boolean {
  return budgets.get(context)?.isExceeded ?? false;
}

/** The budget for evaluations over a context is used up. */
export class EvaluationTooLong extends Error {
  override readonly name = 'EvaluationTooLong';
}

/**
 * Evaluates within the budget of the context, so that the event loop is not blocked for more than 50 ms: other work
 * runs whenever a new context is loaded.
 * @param steps the estimated cost
 * @throws EvaluationTooLong
 */
export function withinBudget<T>(context: SeenContext, steps: number, evaluate: () => T): T {
  const budget = budgets.get(context) ?? { steps: 0, milliseconds: 0, isExceeded: false };
  budgets.set(context, budget);
  if (steps <= fewSteps && budget.steps + steps <= fewStepsTogether) {
    budget.steps += steps;
    return evaluate();
  }
  const left = Math.floor(watchedMs - budget.milliseconds);
  if (left < 1) return giveUp(budget);
  const begun = performance.now();
  try {
    return watched(left, evaluate);
  } catch (error) {
    if (!(error instanceof WatchEnded)) throw error;
    return giveUp(budget);
  } finally {
    budget.milliseconds += performance.now() - begun;
  }
}

function giveUp(budget: Budget): never {
  budget.isExceeded = true;
  throw new EvaluationTooLong('The expressions took too long.');
}
