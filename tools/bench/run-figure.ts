import type { Effort, Figure } from './figure.js';
import { measure, type Result } from './measure.js';
import { type Backends, openStage } from './stage/stage.js';

/** Measures one figure on its own stage, which is removed afterwards even after an error. */
export async function runFigure(backends: Backends, figure: Figure, effort: Effort): Promise<Result> {
  const stage = await openStage(backends);
  try {
    return await measure(figure, await figure.prepare(stage, effort), effort);
  } finally {
    await stage.close();
  }
}
