import { replaceChatLabels } from '../../../db/conversations/chat-labels.js';
import type { Tx } from '../../../db/database.js';
import { InvalidInput } from '../../lib/errors.js';

/**
 * Gives a chat exactly these labels. The caller has pinned those of them that exist, and locked the chat's row
 * afterwards: in this order, since deleting a label takes it off its chats.
 *
 * @throws InvalidInput at each that is no label of the workspace
 */
export async function labelChat(
  tx: Tx,
  chatId: number,
  labelIds: readonly number[],
  existing: ReadonlySet<number>,
): Promise<void> {
  const errors = labelIds.flatMap((id, index) =>
    existing.has(id)
      ? []
      : [{ pointer: `/labelIds/${index}`, message: 'names no chat label of this workspace' }],
  );
  if (errors.length > 0) throw InvalidInput.fields(errors);
  await replaceChatLabels(tx, chatId, existing);
}
