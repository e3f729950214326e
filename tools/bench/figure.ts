import type { Stage } from './stage/stage.js';

/** How much is measured: enough to be steady in a bench, next to nothing in a test. */
export interface Effort {
  /** Rounds before those that count: V8 compiles a route's code within some 2,500 requests. */
  warmUpRounds: number;
  /** Rounds that count; in each, floor and service are measured one after the other. */
  rounds: number;
  /** Seconds that a load lasts in one round. */
  seconds: number;
  /** Operations in one round, where they are counted. */
  operations: number;
  /** Assignments that are made before memory is looked at. */
  assignments: number;
  /** Active assignments that are reconciled. */
  activeAssignments: number;
  /** Data records that are listed. */
  records: number;
  /** Event streams that are open at once. */
  streams: number;
}

export const usualEffort: Effort = {
  warmUpRounds: 3,
  rounds: 5,
  seconds: 2,
  operations: 60,
  assignments: 1_000,
  activeAssignments: 100_000,
  records: 1_000_000,
  streams: 500,
};

/** What a figure has to be: set beside its floor's, or by itself. */
export type Target = { ratioAtLeast: number } | { ratioAtMost: number } | { atMost: number };

/** One number: higher is better where the target says at least. */
export type Sample = () => Promise<number>;

/** What is measured in one round. */
export interface Samples {
  /** The bare thing, as one would write it without the service. Absent where the target stands by itself: then one round is all. */
  floor?: Sample;
  measured: Sample;
  /** Called once between the rounds that warm up and those that count. */
  warmedUp?: () => Promise<void>;
}

/** Something the service promises about its speed or size. */
export interface Figure {
  /** What it is called on the command line; its folder. */
  name: string;
  title: string;
  unit: 'requests/s' | 'runs/s' | 'rows/s' | 'ms' | 's' | 'MB' | 'KB' | 'calls';
  target: Target;
  /** Sets up what the rounds need. What it starts on the stage ends with the stage. */
  prepare(stage: Stage, effort: Effort): Promise<Samples>;
}
