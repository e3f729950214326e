import type { PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import type { CommandContext } from '../../kernel/context.js';
import { requirePhoneNumber } from './require-phone-number.js';

/** @throws NotFound */
export async function getPhoneNumber(context: CommandContext, id: number): Promise<PhoneNumberRow> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => requirePhoneNumber(tx, id));
}
