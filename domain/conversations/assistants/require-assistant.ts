import {
  type AssistantRow,
  findAssistant,
  lockAssistantMember,
} from '../../../db/conversations/assistants.js';
import type { Tx } from '../../../db/database.js';
import { NotFound } from '../../lib/errors.js';

/** @throws NotFound */
export async function requireAssistant(tx: Tx, id: number): Promise<AssistantRow> {
  const assistant = await findAssistant(tx, id);
  if (assistant === undefined) throw new NotFound('Assistant');
  return assistant;
}

/** Returns the assistant after locking its member's row, which serializes changes and deletion. @throws NotFound */
export async function lockAssistant(tx: Tx, id: number): Promise<AssistantRow> {
  const { memberId } = await requireAssistant(tx, id);
  await lockAssistantMember(tx, memberId);
  return requireAssistant(tx, id);
}
