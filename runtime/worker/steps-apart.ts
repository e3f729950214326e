import { AsyncLocalStorage } from 'node:async_hooks';
import { activityInfo } from '@temporalio/activity';
import type { Activities } from '../../activities/index.js';

const deadlines = new AsyncLocalStorage<number>();

/** When the local activity that is under way is given up, in epoch milliseconds; undefined outside of one. */
export function stepDeadline(): number | undefined {
  return deadlines.getStore();
}

/**
 * Activities that are carried out by `local` where a workflow asks for them as local ones, and by `ordinary` otherwise. What
 * a local one asks of the database ends with its time: once it is given up, an ordinary one is asked for in its place.
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
