import type { BusinessHours } from '../../identity/models/workspace.js';
import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class PhoneNumberModel extends tenantTable('phone_numbers', {
  uuid: column<string>(),
  number: column<string>('configuration'),
  name: column<string>('configuration'),
  smsEnabled: column<boolean>(),
  /** Whether the carrier takes media from the number. */
  mmsEnabled: column<boolean>(),
  voiceEnabled: column<boolean>(),
  inboundDefinitionId: column<number | null>(),
  /** The SMS segments that the carrier takes from the number in a second; null: the usual pace. */
  segmentsPerSecond: column<number | null>('number'),
  /** When calls are taken; null: as the workspace says. */
  businessHours: json<BusinessHours | null>('configuration'),
  /** What a caller hears first; null: what the agent says. */
  greeting: column<string | null>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type PhoneNumberRow = RowOf<PhoneNumberModel>;
