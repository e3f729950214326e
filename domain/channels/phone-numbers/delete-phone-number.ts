import {
  isPhoneNumberInUse,
  lockPhoneNumber,
  removePhoneNumber,
} from '../../../db/channels/phone-numbers.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/** Returns a number to the pool. Refused while chats use it, because their history would lose its sender. */
export async function deletePhoneNumber(context: CommandContext, id: number): Promise<void> {
  const { actor, db } = context;
  actor.require('phone_numbers:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const phoneNumber = await lockPhoneNumber(tx, id);
    if (phoneNumber === undefined) throw new NotFound('Phone number');
    if (await isPhoneNumberInUse(tx, id)) {
      throw new Conflict('phone_number_in_use', 'The phone number is used by chats.');
    }
    const route = { workspaceId: actor.workspaceId, phoneNumberId: id };
    await db.identity.phoneNumberRoutes.release(phoneNumber.number, route, tx);
    await removePhoneNumber(tx, id);
    recordAudit(tx, context, 'phone_number:deleted', { subject: ['phone_number', id] });
  });
}
