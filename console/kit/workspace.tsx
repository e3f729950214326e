import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { answer, api, type Schemas } from './api.js';
import { PlaceContext } from './place.js';

interface Workspace {
  uuid: string;
  workspace: Schemas['WorkspaceResponse'];
  me: Schemas['WorkspaceMemberResponse'];
  role: Schemas['OwnMemberResponse']['role'];
  /** Whether the signed-in member has a permission, such as `chats:read`. */
  can(permission: string): boolean;
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

/** The workspace of the page. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === undefined) throw new Error('There is no workspace around this component.');
  return workspace;
}

/** The workspace; no stream tells what colleagues change of it. */
export function workspaceQuery(uuid: string) {
  const params = { path: { workspace_uuid: uuid } };
  return queryOptions({
    queryKey: [uuid, 'workspace'],
    queryFn: () => answer(api.GET('/w/{workspace_uuid}', { params })),
    refetchOnWindowFocus: 'always',
  });
}

interface Props {
  uuid: string;
  children: ReactNode;
  /** Shown while the workspace is read. */
  pending: ReactNode;
  failed(error: Error): ReactNode;
}

/** Reads the workspace and what the signed-in member may do there. */
export function WorkspaceProvider({ uuid, children, pending, failed }: Props): ReactNode {
  const params = { path: { workspace_uuid: uuid } };
  const workspace = useQuery(workspaceQuery(uuid));
  const own = useQuery({
    queryKey: [uuid, 'me'],
    queryFn: () => answer(api.GET('/w/{workspace_uuid}/members/me', { params })),
  });
  const memberId = own.data?.member.id;
  const first = useRef(memberId);
  first.current ??= memberId;
  useEffect(() => {
    // Somebody else has signed in with this browser: nothing of the one before stays.
    if (memberId !== undefined && memberId !== first.current) location.reload();
  }, [memberId]);
  if (workspace.data === undefined || own.data === undefined) {
    const error = workspace.error ?? own.error;
    return error === null ? pending : failed(error);
  }
  const permissions = new Set<string>(own.data.permissions);
  const value = {
    uuid,
    workspace: workspace.data,
    me: own.data.member,
    role: own.data.role,
    can: (permission: string) => permissions.has(permission),
  };
  return (
    <PlaceContext value={{ uuid, ownId: own.data.member.id }}>
      <WorkspaceContext value={value}>{children}</WorkspaceContext>
    </PlaceContext>
  );
}
