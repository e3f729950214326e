import type { VoiceIdentity } from '../../identity/models/workspace.js';
import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class WorkflowDefinitionModel extends tenantTable('workflow_definitions', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  description: column<string | null>('configuration'),
  activeRevisionId: column<number | null>(),
  defaultPhoneNumberId: column<number | null>(),
  assistantMemberId: column<number | null>(),
  /** How callers prove who they are; null: as the workspace says. */
  voiceIdentity: json<VoiceIdentity | null>('configuration'),
  archivedAt: column<Date | null>(),
  /** Since when its assignments rest; null: it is not held. */
  heldAt: column<Date | null>(),
  heldReason: column<string | null>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type WorkflowDefinitionRow = RowOf<WorkflowDefinitionModel>;

/** A role that may use a definition. Without a row for a definition, everyone may. */
export class WorkflowDefinitionRoleModel extends tenantTable('workflow_definition_roles', {
  definitionId: column<number>(),
  memberRoleId: column<number>(),
  createdAt: column<Date>(),
}) {}
