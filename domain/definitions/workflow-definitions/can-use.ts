import type { Actor } from '../../kernel/actor.js';

/**
 * Whether the actor may start assignments and chats of a definition: the definition lists the role of the actor or no
 * role at all, or the actor may change definitions anyway.
 */
export function canUse(actor: Actor, roleIds: readonly number[]): boolean {
  return roleIds.length === 0 || roleIds.includes(actor.memberRoleId) || actor.can('workflows:write');
}
