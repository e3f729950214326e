import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import type { PhoneNumberResponse } from './schemas.js';

export function presentPhoneNumber(row: PhoneNumberRow): PhoneNumberResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    number: row.number,
    name: row.name,
    smsEnabled: row.smsEnabled,
    mmsEnabled: row.mmsEnabled,
    voiceEnabled: row.voiceEnabled,
    inboundWorkflowId: row.inboundDefinitionId,
    segmentsPerSecond: row.segmentsPerSecond,
    businessHours: row.businessHours,
    greeting: row.greeting,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
