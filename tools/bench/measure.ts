import { median } from '../../test/support/lib/statistics.js';
import type { Effort, Figure, Samples, Target } from './figure.js';
import { type Backends, openStage } from './stage/stage.js';

export interface Result extends Omit<Figure, 'prepare'> {
  /** Medians over the rounds. */
  floor: number | null;
  measured: number;
  /** Median of the rounds' ratios, because a temporary slowdown of the machine affects both sides of a round. */
  ratio: number | null;
  /** The same of the rounds' differences. */
  difference: number | null;
  met: boolean;
}

/** Measures a figure in rounds, alternating floor and service. The warm-up rounds do not count. */
export async function measure(
  figure: Omit<Figure, 'prepare'>,
  samples: Samples,
  effort: Pick<Effort, 'rounds' | 'warmUpRounds'>,
): Promise<Result> {
  const floors: number[] = [];
  const measured: number[] = [];
  const rounds = samples.floor === undefined ? 1 : effort.rounds;
  if (samples.floor !== undefined) {
    for (let round = 0; round < effort.warmUpRounds; round += 1) await takeRound(samples, round);
    await samples.warmedUp?.();
  }
  for (let round = 1; round <= rounds; round += 1) {
    const taken = await takeRound(samples, round);
    measured.push(taken.measured);
    if (taken.floor !== undefined) floors.push(taken.floor);
  }
  const { name, title, unit, target } = figure;
  const overRounds = (of: (measured: number, floor: number) => number) =>
    floors.length === 0 ? null : median(floors.map((floor, at) => of(measured[at] ?? 0, floor)));
  const result = {
    measured: median(measured),
    floor: overRounds((_, floor) => floor),
    ratio: overRounds((value, floor) => value / floor),
    difference: overRounds((value, floor) => value - floor),
  };
  return { name, title, unit, target, ...result, met: isMet(target, result) };
}

/** Alternates which side is measured first, so that neither always runs in the other's aftermath. */
async function takeRound(
  { floor, measured }: Samples,
  round: number,
): Promise<{ floor?: number; measured: number }> {
  if (floor === undefined) return { measured: await measured() };
  if (round % 2 === 0) return { floor: await floor(), measured: await measured() };
  const first = await measured();
  return { measured: first, floor: await floor() };
}

function isMet(
  target: Target,
  { ratio, difference, measured }: Pick<Result, 'ratio' | 'difference' | 'measured'>,
): boolean {
  if ('atMost' in target) return measured <= target.atMost;
  if (ratio === null || difference === null) throw new Error('a target beside a floor needs a floor');
  if ('moreAtMost' in target) return difference <= target.moreAtMost;
  return 'ratioAtLeast' in target ? ratio >= target.ratioAtLeast : ratio <= target.ratioAtMost;
}

/** Measures one figure on its own stage, which is removed afterwards even after an error. */
export async function runFigure(backends: Backends, figure: Figure, effort: Effort): Promise<Result> {
  const stage = await openStage(backends);
  try {
    return await measure(figure, await figure.prepare(stage, effort), effort);
  } finally {
    await stage.close();
  }
}
