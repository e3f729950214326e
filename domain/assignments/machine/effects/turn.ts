import { callAgent } from '../call-agent.js';
import type { Perform } from './effect.js';

export const turn: Perform<'turn'> = (machine, _effect, { entering }) => callAgent(machine, entering);
