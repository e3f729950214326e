import { requestTurn } from '../request-turn.js';
import type { Perform } from './effect.js';

export const turn: Perform<'turn'> = (machine, _effect, { entering }) => requestTurn(machine, entering);
