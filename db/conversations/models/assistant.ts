import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class AssistantModel extends tenantTable('assistants', {
  uuid: column<string>(),
  memberId: column<number>(),
  instructions: column<string>('configuration'),
  chatModelId: column<string | null>('code'),
  realtimeModelId: column<string | null>('code'),
  chatModelConfig: json<Record<string, unknown>>('configuration'),
  realtimeModelConfig: json<Record<string, unknown>>('configuration'),
  isDefault: column<boolean>(),
  enabled: column<boolean>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type AssistantRow = RowOf<AssistantModel>;
