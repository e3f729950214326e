import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class AssistantModel extends tenantTable('assistants', {
  uuid: column<string>(),
  memberId: column<number>(),
  instructions: column<string>(),
  chatModelId: column<string | null>(),
  realtimeModelId: column<string | null>(),
  chatModelConfig: json<Record<string, unknown>>(),
  realtimeModelConfig: json<Record<string, unknown>>(),
  isDefault: column<boolean>(),
  enabled: column<boolean>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type AssistantRow = RowOf<AssistantModel>;
