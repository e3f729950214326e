import { insertPhoneNumber, type PhoneNumberRow } from '../../db/queries/phone-numbers.js';
import type { CommandContext } from '../context.js';
import { InvalidInput } from '../errors.js';
import { normalizePhone } from '../phone.js';
import { checkInboundDefinition } from './require-phone-number.js';

export interface CreatePhoneNumber {
  number: string;
  name: string;
  smsEnabled?: boolean;
  voiceEnabled?: boolean;
  /** Definition that people who write or call in are put on. */
  inboundWorkflowId?: number | null;
}

/**
 * Adds a number of the carrier's account to the workspace. A number leads inbound messages to one workspace, so it
 * is taken in the same transaction over all of them; whose it is otherwise is nobody's business here.
 */
export async function createPhoneNumber(
  context: CommandContext,
  input: CreatePhoneNumber,
): Promise<PhoneNumberRow> {
  const { actor, db, clock } = context;
  actor.require('phone_numbers:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const number = normalizePhone(input.number, workspace?.defaultRegion ?? 'US');
    if (number === null) {
      throw InvalidInput.field('/number', 'This is not a valid phone number; E.164 (+12025550123) is best.');
    }
    await checkInboundDefinition(tx, input.inboundWorkflowId);
    const row = await insertPhoneNumber(tx, {
      number,
      name: input.name,
      smsEnabled: input.smsEnabled ?? true,
      voiceEnabled: input.voiceEnabled ?? true,
      inboundDefinitionId: input.inboundWorkflowId ?? null,
      createdAt: clock.now(),
    });
    if (row === undefined) throw numberTaken();
    const route = { workspaceId: actor.workspaceId, phoneNumberId: row.id };
    if (!(await db.identity.phoneNumberRoutes.claim(number, route, tx))) throw numberTaken();
    return row;
  });
}

function numberTaken(): InvalidInput {
  return InvalidInput.field('/number', 'This number is already in use.');
}
