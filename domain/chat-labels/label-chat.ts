import type { Tx } from '../../db/database.js';
import { pinChatLabels, replaceChatLabels } from '../../db/queries/chat-labels.js';
import { InvalidInput } from '../errors.js';

/**
 * Gives a chat exactly these labels. They are pinned before links change, in the order in which deleting a label takes
 * them. The chat's row is locked by the caller.
 *
 * @throws InvalidInput at each that is no label of the workspace
 */
export async function labelChat(tx: Tx, chatId: number, labelIds: readonly number[]): Promise<void> {
  const existing = await pinChatLabels(tx, labelIds);
  const errors = labelIds.flatMap((id, index) =>
    existing.has(id)
      ? []
      : [{ pointer: `/labelIds/${index}`, message: 'names no chat label of this workspace' }],
  );
  if (errors.length > 0) throw InvalidInput.fields(errors);
  await replaceChatLabels(tx, chatId, existing);
}
