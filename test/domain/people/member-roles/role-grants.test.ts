import { describe, expect, it } from 'vitest';
import {
  firstMissing,
  type OwnGrants,
  type RoleGrants,
} from '../../../../domain/people/member-roles/role-grants.js';

const grants = (permissions: string[], flags: { useAdmin?: boolean; manageWorkspace?: boolean } = {}) => ({
  permissions,
  useAdmin: flags.useAdmin ?? false,
  manageWorkspace: flags.manageWorkspace ?? false,
});

const owned = ({ permissions, ...flags }: RoleGrants): OwnGrants => ({
  ...flags,
  can: (permission) => permissions.includes(permission),
});

describe('firstMissing', () => {
  it.each([
    ['nothing, when there is nothing to grant', grants([]), grants([]), undefined],
    ['nothing, when it is held', grants(['chats:read']), grants(['chats:read']), undefined],
    ['a permission', grants(['chats:read']), grants(['chats:read', 'chats:admin']), 'chats:admin'],
    ['reading a type is part of reading all', grants(['data:read']), grants(['data:read:notes']), undefined],
    [
      'writing a type is part of writing all',
      grants(['records:write']),
      grants(['data:write:notes']),
      undefined,
    ],
    [
      'reading all is no part of reading a type',
      grants(['data:read:notes']),
      grants(['data:read']),
      'data:read',
    ],
    ['another type', grants(['data:read:notes']), grants(['data:read:visits']), 'data:read:visits'],
    ['the admin area', grants([]), grants([], { useAdmin: true }), 'useAdmin'],
    [
      'managing the workspace',
      grants([], { useAdmin: true }),
      grants([], { manageWorkspace: true }),
      'manageWorkspace',
    ],
    [
      'the admin area, when those who have it cannot use it',
      grants(['roles:write'], { useAdmin: true }),
      grants([], { useAdmin: true }),
      'useAdmin',
    ],
    [
      'managing the workspace, when those who may cannot',
      grants(['workspace:write'], { manageWorkspace: true }),
      grants([], { manageWorkspace: true }),
      'manageWorkspace',
    ],
    [
      'nothing, when the flags are held and can be used',
      grants(['roles:write', 'workspace:write'], { useAdmin: true, manageWorkspace: true }),
      grants([], { useAdmin: true, manageWorkspace: true }),
      undefined,
    ],
  ])('returns the first grant that is not held: %s', (_, own, wanted, missing) => {
    expect(firstMissing(owned(own), wanted)).toBe(missing);
  });
});
