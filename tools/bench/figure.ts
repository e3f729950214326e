import type { Stage } from './stage/stage.js';

/** The amount of measuring: enough for stable results in a bench, a minimum in a test. */
export interface Effort {
  /** Warm-up rounds: V8 has optimised the code of a route after about 2,500 requests. */
  warmUpRounds: number;
  /** Rounds that count; in each, floor and service are measured one after the other. */
  rounds: number;
  seconds: number;
  /** Operations in one round, for figures that count them. */
  operations: number;
  assignments: number;
  activeAssignments: number;
  records: number;
  pages: number;
  pdfs: number;
  /** Woken by one change. */
  wokenRuns: number;
  streams: number;
  calls: number;
  /** Of each side of a call. */
  frames: number;
  /** How long an installation rests, and is measured at rest. */
  restSeconds: number;
  /** Workspaces in which nothing is to be done. */
  idleWorkspaces: number;
}

export const defaultEffort: Effort = {
  warmUpRounds: 3,
  rounds: 5,
  seconds: 2,
  operations: 60,
  assignments: 1_000,
  activeAssignments: 100_000,
  records: 1_000_000,
  pages: 10_000,
  pdfs: 1_000,
  wokenRuns: 3_000,
  streams: 500,
  calls: 100,
  frames: 180_000,
  restSeconds: 60,
  idleWorkspaces: 1_000,
};

/** `moreAtMost` is the distance to the floor. */
export type Target =
  | { ratioAtLeast: number }
  | { ratioAtMost: number }
  | { moreAtMost: number }
  | { atMost: number };

/** Measures one value; higher is better with `ratioAtLeast`, otherwise lower is better. */
export type Sample = () => Promise<number>;

/** The measurements of one round. */
export interface Samples {
  /** A minimal implementation without the service. Without a floor, the target is absolute and one round is enough. */
  floor?: Sample;
  measured: Sample;
  /** Called once between the rounds that warm up and those that count. */
  warmedUp?: () => Promise<void>;
}

/** A promise of the service about its speed or memory, with its measurement. */
export interface Figure {
  name: string;
  title: string;
  unit:
    | 'requests/s'
    | 'runs/s'
    | 'rows/s'
    | 'ms'
    | 's'
    | 'MB'
    | 'MB/s'
    | 'KB'
    | 'calls'
    | 'commits'
    | 'commits/s';
  target: Target;
  /** Prepares the rounds. Processes that it starts on the stage end with the stage. */
  prepare(stage: Stage, effort: Effort): Promise<Samples>;
}
