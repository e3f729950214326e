import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { keepDraft, readDraft } from '../../kit/drafts.js';
import { useWorkspace } from '../../kit/workspace.js';
import { type Changes, changed, holds, type Role } from './grants.js';

interface Refused {
  role: string;
  error: Error;
}

const none: Changes = new Map();

type AllChanges = ReadonlyMap<number, Changes>;
type Draft = readonly (readonly [roleId: number, changes: readonly (readonly [string, boolean])[]])[];

/** What is ticked in the matrix and not saved yet: it stays in this browser. */
export function useRoleChanges(roles: readonly Role[]) {
  const { uuid, me, can } = useWorkspace();
  const queries = useQueryClient();
  const key = `${uuid}:${me.id}:roles`;
  const [ticked, setTicked] = useState<AllChanges>(() => {
    const draft = can('roles:write') ? readDraft<Draft>(key) : undefined;
    return new Map(draft?.map(([id, ofRole]) => [id, new Map(ofRole)]));
  });
  const keep = (next: AllChanges) => {
    setTicked(next);
    keepDraft(key, next.size === 0 ? undefined : [...next].map(([id, ofRole]) => [id, [...ofRole]]));
  };
  const changes = stillChanges(roles, ticked);
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
      let left = changes;
      for (const role of roles) {
        const ofRole = changes.get(role.id);
        if (ofRole === undefined) continue;
        try {
          await write(role, ofRole);
          left = new Map([...left].filter(([id]) => id !== role.id));
          keep(left);
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
    /** All that is to be granted or taken. */
    grants: [...changes.values()].flatMap((ofRole) => [...ofRole.keys()]),
    set(role: Role, grant: string, isHeld: boolean): void {
      const ofRole = new Map(changes.get(role.id));
      if (isHeld === holds(role, grant)) ofRole.delete(grant);
      else ofRole.set(grant, isHeld);
      const others = [...changes].filter(([id]) => id !== role.id);
      keep(new Map(ofRole.size === 0 ? others : [...others, [role.id, ofRole]]));
    },
    discard(): void {
      keep(new Map());
      save.reset();
    },
    save,
  };
}

/** What others have done already is no change any more, and neither is what is of a role that is gone. */
function stillChanges(roles: readonly Role[], ticked: AllChanges): AllChanges {
  return new Map(
    roles.flatMap((role) => {
      const ofRole = [...(ticked.get(role.id) ?? none)].filter(
        ([grant, isHeld]) => isHeld !== holds(role, grant),
      );
      return ofRole.length === 0 ? [] : [[role.id, new Map(ofRole)]];
    }),
  );
}

export type RoleChanges = ReturnType<typeof useRoleChanges>;
