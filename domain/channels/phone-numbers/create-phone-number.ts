import { insertPhoneNumber, type PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import type { PoolNumberRow } from '../../../db/identity/phone-number-pool.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { normalizePhone } from '../../lib/phone.js';
import { type BusinessHoursInput, checkBusinessHours } from '../business-hours/check-business-hours.js';
import { checkPlaceholders } from '../business-hours/placeholders.js';
import { checkInboundDefinition } from './phone-numbers.js';

export interface CreatePhoneNumber {
  number: string;
  name: string;
  smsEnabled?: boolean;
  mmsEnabled?: boolean;
  voiceEnabled?: boolean;
  /** The workflow that is assigned to people who write to or call the number. */
  inboundWorkflowId?: number | null;
  /** The SMS segments that the carrier takes from the number in a second; null: the usual pace. */
  segmentsPerSecond?: number | null;
  /** When calls are taken; null: as the workspace says. */
  businessHours?: BusinessHoursInput | null;
  /** What a caller hears first; null: what the agent says. */
  greeting?: string | null;
}

const notAvailable = 'This number is not available: numbers come from the pool that the operator fills.';

/** Takes a number from the operator's pool. Every refusal is the same, to reveal nothing about other tenants. */
export async function createPhoneNumber(
  context: CommandContext,
  input: CreatePhoneNumber,
): Promise<PhoneNumberRow> {
  const { actor, db, clock } = context;
  actor.require('phone_numbers:write');
  const { businessHours = null, greeting = null } = input;
  checkPlaceholders(greeting, '/greeting');
  const hours = businessHours && checkBusinessHours(businessHours);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const number = normalizePhone(input.number, workspace?.defaultRegion ?? 'US');
    if (number === null) throw refusal('This is not a valid phone number. Use E.164, such as +12025550123.');
    await checkInboundDefinition(tx, input.inboundWorkflowId);
    const offered = await db.identity.phoneNumberPool.lockByNumber(number, tx);
    if (offered === undefined || !isAvailableTo(offered, actor.workspaceId)) throw refusal(notAvailable);
    const row = await insertPhoneNumber(tx, {
      number,
      name: input.name,
      smsEnabled: input.smsEnabled ?? true,
      mmsEnabled: input.mmsEnabled ?? false,
      voiceEnabled: input.voiceEnabled ?? true,
      inboundDefinitionId: input.inboundWorkflowId ?? null,
      segmentsPerSecond: input.segmentsPerSecond ?? null,
      businessHours: hours,
      greeting,
      createdAt: clock.now(),
    });
    if (row === undefined) throw refusal(notAvailable);
    const route = { workspaceId: actor.workspaceId, phoneNumberId: row.id };
    if (!(await db.identity.phoneNumberRoutes.claim(number, route, tx))) throw refusal(notAvailable);
    recordAudit(tx, context, 'phone_number:created', { subject: ['phone_number', row.id] });
    return row;
  });
}

function isAvailableTo(number: PoolNumberRow, workspaceId: number): boolean {
  return number.purpose === 'workspaces' && (number.workspaceId ?? workspaceId) === workspaceId;
}

function refusal(message: string): InvalidInput {
  return InvalidInput.field('/number', message);
}
