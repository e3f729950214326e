import { demo } from '../../../api/http/demo.js';
import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { createPhoneNumber } from '../../../domain/channels/phone-numbers/create-phone-number.js';
import { updatePhoneNumber } from '../../../domain/channels/phone-numbers/update-phone-number.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { listWorkflowDefinitions } from '../../../domain/definitions/workflow-definitions/workflow-definitions.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { clinicIntake, intakeDataType } from './clinic-intake.js';
import { findOrCreatePerson, ownerContext } from './people.js';

export const memberEmail = 'member@clinic.example';
export const intakeName = 'Clinic intake';

/** Creates the clinic's assistant, number, data type, workflow and an ordinary member, unless they exist. */
export async function buildClinic(
  database: Database,
  owner: AccountRow,
  workspace: WorkspaceRow,
  number: string,
): Promise<AccountRow> {
  const member = await findOrCreatePerson(database, 'Demo Member', memberEmail, demo.memberAccountUuid);
  const context = await ownerContext(database, owner, workspace);
  const page = { page: 1, pageSize: 100, sortBy: 'name', sortOrder: 'asc', archived: false } as const;
  const definitions = await listWorkflowDefinitions(context, page);
  if (definitions.items.some((definition) => definition.name === intakeName)) return member;

  const { id: memberId } = await createMember(context, { name: 'Demo Member', email: memberEmail });
  await database.identity.memberships.add({ workspaceId: workspace.id, memberId, accountId: member.id });
  await createDataType(context, intakeDataType);
  await buildIntake(context, number);
  return member;
}

async function buildIntake(context: CommandContext, number: string): Promise<void> {
  const assistant = await createAssistant(context, {
    name: 'Intake assistant',
    instructions: 'You are the friendly assistant of a clinic. You never give medical advice.',
    isDefault: true,
  });
  const { identity } = context.db;
  const { workspaceId } = context.actor;
  await identity.phoneNumberPool.add({
    number,
    workspaceId,
    source: 'setting',
    createdAt: context.clock.now(),
  });
  const phoneNumber = await createPhoneNumber(context, { number, name: 'Front desk', mmsEnabled: true });
  const definition = await createWorkflowDefinition(context, {
    name: intakeName,
    description: 'Prepares the first visit of a new patient.',
    assistantMemberId: assistant.memberId,
    defaultPhoneNumberId: phoneNumber.id,
  });
  const revision = await createRevision(context, definition.id, { name: 'First', rootTask: clinicIntake });
  await publishRevision(context, definition.id, revision.id, { activate: true });
  // People who write to the clinic's number go through the same intake.
  await updatePhoneNumber(context, phoneNumber.id, { inboundWorkflowId: definition.id });
}
