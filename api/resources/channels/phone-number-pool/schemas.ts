import Type from 'typebox';
import { Id, Nullable, OneOf, Page, PageQuery, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const PoolNumberResponse = Picked(
  {
    id: Id,
    number: Type.String({ description: 'The number in E.164, for example +12025550123' }),
    workspaceUuid: Nullable(
      Type.String({
        ...Uuid,
        description: 'The workspace that the number is assigned to; null: any workspace may take it',
      }),
    ),
    purpose: OneOf(['workspaces', 'login_codes'], {
      description: '`login_codes`: the number in LOGIN_SMS_FROM, which no workspace can take',
    }),
    source: OneOf(['superuser', 'setting', 'earlier_release'], {
      description:
        'How the number got into the pool: a superuser, PHONE_NUMBER_POOL, or a release before the pool existed',
    }),
    usedByWorkspaceUuid: Nullable(
      Type.String({ ...Uuid, description: 'The workspace that uses the number' }),
    ),
    createdAt: Timestamp,
  },
  { $id: 'PoolNumberResponse' },
);

export const PoolNumberPage = Page(PoolNumberResponse);

const workspaceUuid = Nullable(
  Type.String({ ...Uuid, description: 'The only workspace that may take the number; null: any may' }),
);

export const AddPoolNumberRequest = Type.Object(
  {
    number: Type.String({
      minLength: 3,
      maxLength: 40,
      description: 'The number in E.164, for example +12025550123',
    }),
    workspaceUuid: Type.Optional(workspaceUuid),
  },
  { $id: 'AddPoolNumberRequest' },
);

export const UpdatePoolNumberRequest = Type.Object({ workspaceUuid }, { $id: 'UpdatePoolNumberRequest' });

export const ListPoolNumbersQuery = PageQuery(['number', 'createdAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Part of the number' })),
  workspaceUuid: Type.Optional(
    Type.String({ ...Uuid, description: 'Numbers that are assigned to this workspace' }),
  ),
  inUse: Type.Optional(Type.Boolean({ description: 'Whether a workspace uses the number' })),
});
