import {
  type ActivityOptions,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { priorities, taskQueues } from './contracts/runs.js';
import type { Sliced } from './contracts/steps.js';

type Result<Name extends keyof Activities> = Omit<Awaited<ReturnType<Activities[Name]>>, 'next'>;
type Found = Record<string, unknown>;
type Slice = (next?: object) => Promise<Found & Sliced<object>>;

/** Where a pass that is continued as new stands. */
export interface Underway extends Sliced<object> {
  found?: Found;
  /** When it has gone on for long enough: what is left is for the next pass. */
  until?: number;
}

interface PassOptions extends Pick<ActivityOptions, 'startToCloseTimeout' | 'heartbeatTimeout'> {
  summary: string;
  lastsMs: number;
  /** A slice is tried again for so long, because a failed run would need an operator; the schedule skips its next runs meanwhile. */
  triedFor: ActivityOptions['scheduleToCloseTimeout'];
}

/** Makes a pass: slices of some seconds, so that nobody waits long for a slot, until nothing is left. Counts are summed up. */
export function passOf<Name extends keyof Activities>(
  name: Name,
  { lastsMs, triedFor, ...options }: PassOptions,
): (underway?: Underway) => Promise<Result<Name>> {
  const { [name]: activity } = proxyActivities<Record<Name, Slice>>({
    taskQueue: taskQueues.jobs,
    priority: { priorityKey: priorities.forMany },
    startToCloseTimeout: '1m',
    scheduleToCloseTimeout: triedFor,
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    ...options,
  });
  const slice = activity as Slice;
  return async ({ found = {}, next, until = Date.now() + lastsMs } = {}) => {
    for (let slices = 1; ; slices += 1) {
      const { next: left, ...more } = typeof next === 'object' ? await slice(next) : await slice();
      found = sum(found, more);
      if (left === undefined || Date.now() >= until) return found as Result<Name>;
      next = left;
      setCurrentDetails(`Slices: ${slices}. Found so far: ${JSON.stringify(found)}.`);
      if (workflowInfo().continueAsNewSuggested) {
        await continueAsNew<(underway: Underway) => Promise<unknown>>({ found, next, until });
      }
    }
  };
}

function sum(before: Found, more: Found): Found {
  const added = Object.entries(more).map(([key, value]) => {
    const sofar = before[key];
    return [key, typeof value === 'number' && typeof sofar === 'number' ? sofar + value : value];
  });
  return { ...before, ...Object.fromEntries(added) };
}
