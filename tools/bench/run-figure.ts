import type { Effort, Figure } from './figure.js';
import { measure, type Result } from './measure.js';
import { type Backends, openStage } from './stage/stage.js';

/** Measures one figure on a stage of its own, which is gone afterwards, whatever happened. */
export async function runFigure(backends: Backends, figure: Figure, effort: Effort): Promise<Result> {
  const stage = await openStage(backends);
  try {
    return await measure(figure, await figure.prepare(stage, effort), effort);
  } finally {
    await stage.close();
  }
}
