import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { ChangesForm } from '../kit/changes-form.js';
import { useWorkspace } from '../kit/workspace.js';

type Workspace = Schemas['WorkspaceResponse'];

interface Props {
  section: string;
  /** The fields, with the values as they are entered. */
  children(value: Workspace, change: (changed: Partial<Workspace>) => void): ReactNode;
}

/** Fields of the workspace itself. */
export function WorkspaceForm({ section, children }: Props): ReactNode {
  const { uuid, workspace, can } = useWorkspace();
  const params = { path: { workspace_uuid: uuid } };
  return (
    <ChangesForm
      place={section}
      stored={workspace}
      mayChange={can('workspace:write')}
      read={() => answer(api.GET('/w/{workspace_uuid}', { params }))}
      save={(body) => answer(api.PUT('/w/{workspace_uuid}', { params, body }))}
      reads={[['workspace']]}
    >
      {children}
    </ChangesForm>
  );
}
