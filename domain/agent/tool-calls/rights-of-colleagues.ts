import { requireAnotherPerson } from '../../chat-state/another-person.js';
import type { Actor } from '../../kernel/actor.js';
import type { Situation } from '../situation.js';
import type { Input, OfferedTool } from '../tools/tool.js';

/** Whether colleagues may use a tool in the agent's place at all. */
export function isForColleagues({ colleague }: Pick<OfferedTool, 'colleague'>): boolean {
  return colleague !== 'agent';
}

/**
 * Has a colleague do by a tool only what it may do by itself: otherwise the agent would lend its rights to whoever may speak for it.
 * @param input empty where it does not fit the tool @throws Forbidden naming the permission
 */
export async function requireOwnRight(
  actor: Actor,
  situation: Situation,
  { colleague: right, isCovered, requiresApproval }: OfferedTool,
  input: Input,
): Promise<void> {
  if (requiresApproval) requireAnotherPerson(actor, situation.chat);
  if (right === 'agent' || (await isCovered?.(actor, situation, input)) === true) return;
  actor.require(right);
}
