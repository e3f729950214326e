import type { CommandContext } from '../kernel/context.js';
import type { CelContext } from '../lib/cel.js';
import { celContextOf } from './machine/cel-context.js';
import { readMachine } from './read-machine.js';

/** Returns the context of the assignment's conditions, without the member's records. @throws NotFound, Forbidden */
export async function previewCelContext(context: CommandContext, assignmentId: number): Promise<CelContext> {
  return readMachine(context, assignmentId, (machine) => celContextOf(machine, 'none'));
}
