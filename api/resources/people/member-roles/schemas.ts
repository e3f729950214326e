import Type from 'typebox';
import { Id, Name, Picked } from '../../../http/schemas.js';

const name = Name();
const permission = Type.String({ minLength: 1, maxLength: 100 });
const permissions = Type.Array(permission, {
  maxItems: 200,
  description: 'For example chats:read, or data:read:<data type slug> for one data type',
});

export const MemberRoleResponse = Picked(
  {
    id: Id,
    name: Type.String(),
    useAdmin: Type.Boolean(),
    manageWorkspace: Type.Boolean(),
    permissions: Type.Array(Type.String()),
  },
  { $id: 'MemberRoleResponse' },
);

const flags = {
  useAdmin: Type.Optional(Type.Boolean({ description: 'May use the admin area. Default false' })),
  manageWorkspace: Type.Optional(Type.Boolean({ description: 'May manage the workspace. Default false' })),
};

export const CreateMemberRoleRequest = Type.Object({ name, permissions, ...flags });

export const UpdateMemberRoleRequest = Type.Object({
  name: Type.Optional(name),
  permissions: Type.Optional(permissions),
  ...flags,
});
