import type { EnteringMachine } from '../machine.js';
import { alert } from './alert.js';
import { call } from './call.js';
import { conclude } from './conclude.js';
import type { Effect, Origin, Perform } from './effect.js';
import { note } from './note.js';
import { say } from './say.js';
import { turn } from './turn.js';
import { wait } from './wait.js';

const performers: { [Kind in Effect['kind']]: Perform<Kind> } = {
  turn,
  say,
  call,
  wait,
  note,
  alert,
  conclude,
};

/** Performs effects one after the other, in the transaction of the machine. */
export async function perform(
  machine: EnteringMachine,
  effects: readonly Effect[],
  origin: Origin,
): Promise<void> {
  for (const effect of effects) {
    const performer = performers[effect.kind] as Perform<Effect['kind']>;
    await performer(machine, effect, origin);
  }
}
