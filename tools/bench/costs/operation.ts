import type { ProgramExtras, StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';

/** Does the operation for the nth time, from 0; resolves once all of it is done. */
export type Once = (nth: number) => Promise<unknown>;

/** What the service is often asked to do. */
export interface Operation {
  name: string;
  title: string;
  /** A request, of which the api alone does its part; or all that follows from one, by runs. */
  kind: 'request' | 'run';
  /** Makes what is needed to do it `total` times, and starts the programs whose time counts. */
  prepare(stage: Stage, total: number): Promise<Once>;
}

/** A request of the api; `made` first makes what is asked for. */
export function request(
  name: string,
  title: string,
  made: (stage: Stage) => Promise<(api: StageProcess, nth: number) => Promise<unknown>>,
  extras?: (stage: Stage) => ProgramExtras,
): Operation {
  return {
    name,
    title,
    kind: 'request',
    async prepare(stage) {
      const once = await made(stage);
      const api = await stage.startApi(extras?.(stage));
      return (nth) => once(api, nth);
    },
  };
}
