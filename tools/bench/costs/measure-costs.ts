import { setTimeout as pause } from 'node:timers/promises';
import { columns } from '../report.js';
import { type Backends, openStage } from '../stage/stage.js';
import { type Counts, ofOne } from './counts.js';
import { Meter } from './meter.js';
import type { Operation } from './operation.js';

export interface Cost {
  name: string;
  title: string;
  times: number;
  counts: Counts;
}

/** How often operations are done. */
export interface CostEffort {
  /** Of each kind: first so often that the code of the way is compiled, and then while it is counted. */
  request: { warmUp: number; times: number };
  run: { warmUp: number; times: number };
  /** What the system does at rest is counted for so long. */
  restMs: number;
}

export const costEffort: CostEffort = {
  request: { warmUp: 1_000, times: 500 },
  run: { warmUp: 20, times: 40 },
  restMs: 5_000,
};

/** What follows the last effect that an operation waits for is over by then. */
const aftermathMs = 1_000;

/** Counts what one operation costs, on a stage of its own, one after the other. */
export async function measureCost(
  backends: Backends,
  operation: Operation,
  effort: CostEffort,
): Promise<Cost> {
  const { name, title, kind } = operation;
  const { warmUp, times } = effort[kind];
  const stage = await openStage(backends);
  try {
    const meter = await Meter.open(stage);
    const once = await operation.prepare(stage, warmUp + times);
    for (let nth = 0; nth < warmUp; nth += 1) await once(nth);
    await pause(aftermathMs);
    const rest = await meter.during(() => pause(effort.restMs));
    const work = await meter.during(async () => {
      for (let nth = warmUp; nth < warmUp + times; nth += 1) await once(nth);
      await pause(aftermathMs);
    });
    const over = { times, ms: work.ms, restMs: rest.ms };
    // A process at rest collects the garbage of the work before, which would be taken from this work.
    const counts = { ...ofOne(work.counts, rest.counts, over), ...ofOne(work.cpu, {}, over) };
    return { name, title, times, counts };
  } finally {
    await stage.close();
  }
}

/** Beside the programs, which differ. */
const heads: Record<string, string> = {
  commits: 'commits',
  rows: 'rows',
  statements: 'statements',
  walBytes: 'WAL bytes',
  notifies: 'NOTIFYs',
  actions: 'Actions',
};

const times = ['api ms', 'worker ms', 'PostgreSQL ms'];

export function costTable(costs: readonly Cost[]): string {
  const names = [...Object.keys(heads), ...times];
  return columns([
    ['operation', ...names.map((name) => heads[name] ?? name)],
    ...costs.map(({ title, counts }) => [title, ...names.map((name) => written(name, counts[name]))]),
  ]);
}

function written(name: string, count: number | undefined): string {
  if (count === undefined) return '';
  if (times.includes(name)) return count.toFixed(2);
  return name === 'walBytes' || Number.isInteger(count) ? count.toFixed(0) : count.toFixed(1);
}
