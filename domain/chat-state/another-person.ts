import type { ChatRow } from '../../db/conversations/chats.js';
import type { Actor } from '../kernel/actor.js';
import { Forbidden } from '../lib/errors.js';

/**
 * What an agent does for a member only after approval is decided by somebody else, and by a person
 * (docs/decisions/0224-rights-of-colleagues-who-use-tools.md). An API key acts for the colleague whose key it is. @throws Forbidden
 */
export function requireAnotherPerson(actor: Actor, { memberId }: Pick<ChatRow, 'memberId'>): void {
  const isPerson = actor.isKnown && actor.credential.kind !== 'oauth_token';
  if (isPerson && actor.memberId !== memberId) return;
  const message =
    'A call that needs approval is decided by a person: by another than the member of the chat, and not by an application with an OAuth token.';
  throw new Forbidden('another person', message);
}
