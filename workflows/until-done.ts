import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { pokeSignal } from './contracts/messages.js';
import type { ChatRef } from './contracts/runs.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/** What follows on a step of a run. */
export type Next<Result> =
  /** The next step. */
  | { kind: 'again' }
  /** The next step in a run that is continued as new. */
  | { kind: 'anew' }
  /** The next step after a poke, or at that time (epoch milliseconds). */
  | { kind: 'wait'; until: number; summary: string }
  /** The end, unless the run was poked during the step. */
  | { kind: 'idle'; result: Result }
  /** The end, whatever has come meanwhile. */
  | { kind: 'ended'; result: Result };

/** The pokes of a run, as one of its steps sees them. */
export interface Pokes {
  /** The step follows on a poke, or is the first one. */
  came: boolean;
  /** Whether another has come since the step began. */
  isPoked(): boolean;
}

/** Takes the steps of a run until nothing is left to do. Each step asks the database what that is. */
export async function untilDone<Input, Result>(
  input: Input,
  takeStep: (pokes: Pokes) => Promise<Next<Result>>,
): Promise<Result> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const isPoked = () => woken;
  for (;;) {
    const came = woken;
    woken = false;
    const next = await takeStep({ came, isPoked });
    if (next.kind === 'ended' || (next.kind === 'idle' && !woken)) return next.result;
    const isAnew = next.kind === 'anew' || (next.kind === 'wait' && isLongForWaiting());
    if (next.kind === 'wait' && !isAnew) {
      await condition(isPoked, delayUntil(next.until), { summary: next.summary });
    }
    if (isAnew || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<(input: Input) => Promise<Result>>(input);
    }
  }
}

/** A step of a run of a chat: where it fails permanently, the run stands still until a poke, or for `againAfterMs` at most. */
export async function orStandStill<Result>(
  chat: Pick<ChatRef, 'workspaceId' | 'chatId'>,
  { isPoked }: Pokes,
  takeStep: () => Promise<Next<Result>>,
  againAfterMs?: number,
): Promise<Next<Result>> {
  try {
    return await takeStep();
  } catch (error) {
    await standStill(chat, error, isPoked, againAfterMs);
    return { kind: 'again' };
  }
}
