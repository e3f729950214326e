import { type PhoneNumberRow, patchPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { checkBusinessHours } from '../business-hours/check-business-hours.js';
import { checkPlaceholders } from '../business-hours/placeholders.js';
import type { CreatePhoneNumber } from './create-phone-number.js';
import { checkInboundDefinition, requirePhoneNumber } from './phone-numbers.js';

/** The number itself cannot change, because chats on it belong to it. */
export async function updatePhoneNumber(
  context: CommandContext,
  id: number,
  input: Partial<Omit<CreatePhoneNumber, 'number'>>,
): Promise<PhoneNumberRow> {
  context.actor.require('phone_numbers:write');
  const { inboundWorkflowId, businessHours, ...changes } = input;
  checkPlaceholders(changes.greeting, '/greeting');
  const hours = businessHours && checkBusinessHours(businessHours);
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await requirePhoneNumber(tx, id);
    await checkInboundDefinition(tx, inboundWorkflowId);
    const row = await patchPhoneNumber(tx, id, {
      ...changes,
      ...(hours === undefined ? {} : { businessHours: hours }),
      ...(inboundWorkflowId === undefined ? {} : { inboundDefinitionId: inboundWorkflowId }),
      updatedAt: context.clock.now(),
    });
    if (row === undefined) throw new NotFound('Phone number');
    recordAudit(tx, context, 'phone_number:updated', {
      subject: ['phone_number', id],
      names: givenNames(input),
    });
    return row;
  });
}
