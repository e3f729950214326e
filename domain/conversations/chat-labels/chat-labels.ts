import { chatLabelTable, replaceChatLabels } from '../../../db/conversations/chat-labels.js';
import type { Tx } from '../../../db/tx.js';
import { type LabelKind, unknownLabels } from '../../kernel/labels.js';
import { InvalidInput } from '../../lib/errors.js';

/** Labels of chats. The commands are those of all labels (`domain/kernel/labels.ts`). */
export const chatLabels: LabelKind = {
  title: 'Chat',
  table: chatLabelTable,
  writing: 'workspace:write',
  hasDescription: true,
  unknown: 'names no chat label of this workspace',
};

/**
 * Replaces the labels of a chat. The caller pins the labels.
 * @throws InvalidInput for each id that is not a label of the workspace
 */
export async function labelChat(
  tx: Tx,
  chatId: number,
  labelIds: readonly number[],
  existing: ReadonlySet<number>,
): Promise<void> {
  const errors = unknownLabels(chatLabels, labelIds, existing);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  await replaceChatLabels(tx, chatId, existing);
}
