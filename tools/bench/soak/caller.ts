import type { Step } from '../../simulators/carrier/calls/plan.js';
import { spokenMs } from '../../simulators/support/spoken.js';

/** What the caller says, and when: milliseconds from the first thing that it says. */
export interface Saying {
  words: string;
  atMs: number;
}

const frameMs = 20;
/** The caller says something so often; the agent asks twice meanwhile whether it is there. */
const turnMs = 30_000;
/** After its words the caller interrupts the agent in every third turn, which then speaks. */
const interruptsAfterMs = 1_500;
const firstAfterMs = 5_000;

/** A caller who talks at times that are known to a frame, for so long, and hangs up. */
export function talkativeCaller(minutes: number): { script: Step[]; sayings: Saying[] } {
  const script: Step[] = [{ untilStream: 1 }, { wait: firstAfterMs }];
  const sayings: Saying[] = [];
  let atMs = 0;
  const say = (words: string) => {
    sayings.push({ words, atMs });
    script.push({ say: { words } });
    atMs += Math.ceil(spokenMs(words) / frameMs) * frameMs;
  };
  const wait = (ms: number) => {
    script.push({ wait: ms });
    atMs += ms;
  };
  const lengthMs = minutes * 60_000 - firstAfterMs;
  for (let turn = 1; atMs < lengthMs; turn += 1) {
    const endsAt = Math.min(turn * turnMs, lengthMs);
    say(`Tell me about number ${turn}`);
    if (turn % 3 === 0) {
      wait(interruptsAfterMs);
      say(`Wait, I meant ${turn}`);
    }
    wait(Math.max(frameMs, endsAt - atMs));
  }
  script.push({ hangUp: true });
  return { script, sayings };
}
