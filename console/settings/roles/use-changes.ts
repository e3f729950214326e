import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { useWorkspace } from '../../kit/workspace.js';
import { type Changes, changed, holds, type Role } from './grants.js';

interface Refused {
  role: string;
  error: Error;
}

const none: Changes = new Map();

/** What is ticked in the matrix and not saved yet. */
export function useRoleChanges(roles: readonly Role[]) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [changes, setChanges] = useState<ReadonlyMap<number, Changes>>(new Map());
  const write = async (role: Role, ofRole: Changes): Promise<void> => {
    const params = { path: { workspace_uuid: uuid, member_role_id: role.id } };
    // The API replaces all permissions: those that others have changed meanwhile are read first.
    const now = await answer(api.GET('/w/{workspace_uuid}/member-roles/{member_role_id}', { params }));
    const body = changed(now, ofRole);
    await answer(api.PUT('/w/{workspace_uuid}/member-roles/{member_role_id}', { params, body }));
  };
  const save = useMutation({
    mutationFn: async () => {
      const refused: Refused[] = [];
      for (const role of roles) {
        const ofRole = changes.get(role.id);
        if (ofRole === undefined) continue;
        try {
          await write(role, ofRole);
          setChanges((before) => new Map([...before].filter(([id]) => id !== role.id)));
        } catch (error) {
          refused.push({ role: role.name, error: error as Error });
        }
      }
      return refused;
    },
    onSettled: () =>
      Promise.all(['member-roles', 'me'].map((key) => queries.invalidateQueries({ queryKey: [uuid, key] }))),
  });
  return {
    of: (roleId: number): Changes => changes.get(roleId) ?? none,
    count: roles.reduce((sum, { id }) => sum + (changes.get(id)?.size ?? 0), 0),
    set(role: Role, grant: string, isHeld: boolean): void {
      const ofRole = new Map(changes.get(role.id));
      if (isHeld === holds(role, grant)) ofRole.delete(grant);
      else ofRole.set(grant, isHeld);
      const others = [...changes].filter(([id]) => id !== role.id);
      setChanges(new Map(ofRole.size === 0 ? others : [...others, [role.id, ofRole]]));
    },
    discard(): void {
      setChanges(new Map());
      save.reset();
    },
    save,
  };
}

export type RoleChanges = ReturnType<typeof useRoleChanges>;
