import type { MessageRow } from '../../../db/conversations/messages.js';
import { findMembers } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';

type Written = Pick<MessageRow, 'author' | 'memberId'>;

/**
 * Who of the team has written a message: a function from a message to the name, which is null where nobody of the team has written
 * it, or the colleague has no name any more. Most messages are of nobody of the team, and need no query.
 */
export async function namesOfColleagues(
  tx: Tx,
  messages: readonly Written[],
): Promise<(message: Written) => string | null> {
  const idOf = ({ author, memberId }: Written) => (author === 'person' ? memberId : null);
  const ids = new Set(messages.flatMap((message) => idOf(message) ?? []));
  const found = ids.size === 0 ? [] : await findMembers(tx, [...ids]);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return (message) => names.get(idOf(message) ?? 0) ?? null;
}
