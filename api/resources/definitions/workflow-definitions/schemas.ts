import Type from 'typebox';
import { Id, Name, Nullable, Page, PageQuery, Picked, Time, Timestamp, Uuid } from '../../../http/schemas.js';
import { VoiceIdentity } from '../voice-identity-schema.js';
import { RevisionResponse } from '../workflow-revisions/schemas.js';

const CallerIdentity = VoiceIdentity('as the workspace says');

export const WorkflowResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    activeRevisionId: Nullable(Id),
    activeRevisionNumber: Nullable(Type.Integer()),
    defaultPhoneNumberId: Nullable(Id),
    assistantMemberId: Nullable(Id),
    roleIds: Type.Array(Id, { description: 'Roles that may use the workflow; empty: every role' }),
    voiceIdentity: Type.Optional(Nullable(CallerIdentity)),
    archived: Type.Optional(Type.Boolean({ description: 'Present, and true, if the workflow is archived' })),
    heldAt: Nullable(
      Time({
        ...Timestamp,
        description: 'Since when the workflow is held; null: it is not held',
      }),
    ),
    heldReason: Type.Optional(
      Nullable(
        Type.String({
          description: 'Why it is held, for colleagues; only present with the permission workflows:read',
        }),
      ),
    ),
    canUse: Type.Boolean({ description: 'Whether the caller may start chats and assignments with it' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'WorkflowResponse' },
);

export const WorkflowPage = Page(WorkflowResponse);

const name = Name();
const optionalFields = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  assistantMemberId: Type.Optional(Nullable(Id)),
  defaultPhoneNumberId: Type.Optional(Nullable(Id)),
  voiceIdentity: Type.Optional(Nullable(CallerIdentity)),
  roleIds: Type.Optional(
    Type.Array(Id, {
      maxItems: 100,
      uniqueItems: true,
      description: 'Roles that may use the workflow; empty: every role',
    }),
  ),
};

export const CreateWorkflowRequest = Type.Object(
  { name, ...optionalFields },
  { $id: 'CreateWorkflowRequest' },
);

export const UpdateWorkflowRequest = Type.Object(
  { name: Type.Optional(name), ...optionalFields },
  { $id: 'UpdateWorkflowRequest' },
);

export const HoldWorkflowRequest = Type.Object(
  {
    reason: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 2_000, description: 'Why, for colleagues' })),
    ),
  },
  { $id: 'HoldWorkflowRequest' },
);

export const ListWorkflowsQuery = PageQuery(['name', 'createdAt', 'updatedAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name' })),
  assistantMemberId: Type.Optional(
    Type.Integer({ ...Id, description: 'Only workflows that name this assistant, by its member' }),
  ),
  archived: Type.Boolean({ default: false, description: 'List archived workflows instead of the others' }),
});

export const WorkflowImportResponse = Type.Object(
  {
    workflow: WorkflowResponse,
    revision: RevisionResponse,
    createdDataTypes: Type.Array(Type.String(), {
      description: 'The slugs of the data types that did not exist and were created',
    }),
  },
  { $id: 'WorkflowImportResponse' },
);
