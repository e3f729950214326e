import { AsyncLocalStorage } from 'node:async_hooks';
import { activityInfo } from '@temporalio/activity';
import type { Activities } from '../../activities/index.js';

const deadlines = new AsyncLocalStorage<number>();

/** The deadline of the current local activity, in epoch milliseconds; undefined outside of one. */
export function stepDeadline(): number | undefined {
  return deadlines.getStore();
}

/**
 * Returns activities that run with `local` if a workflow calls them as local activities, and with `ordinary` otherwise.
 * The database queries of a local activity end at its deadline, because an ordinary activity replaces it after that.
 */
export function stepsApart(local: Activities, ordinary: Activities): Activities {
  const carryOut = (name: keyof Activities) => (input: never) => {
    const { isLocal, startToCloseTimeoutMs } = activityInfo();
    if (!isLocal) return ordinary[name](input);
    return deadlines.run(Date.now() + startToCloseTimeoutMs, () => local[name](input));
  };
  const names = Object.keys(ordinary) as (keyof Activities)[];
  return Object.fromEntries(names.map((name) => [name, carryOut(name)])) as unknown as Activities;
}
