import { insertMessage } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/tx.js';

/** Stores what the model is told of a tool call. */
export async function storeToolResult(
  tx: Tx,
  { chatId, toolCallId }: { chatId: number; toolCallId: string },
  result: object,
): Promise<void> {
  const ofCall = { toolCallId, subConversationOf: toolCallId };
  await insertMessage(tx, {
    chatId,
    role: 'tool',
    author: 'system',
    ...ofCall,
    content: JSON.stringify(result),
  });
}
