import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { type Column, Grid } from '../../kit/grid.js';
import { Status } from '../../kit/page.js';
import { Ago } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { type Assistant, assistantsPage, pageSize } from './queries.js';
import { useAssistantTexts } from './texts.js';

/** The assistants that answer in the name of the workspace. */
export function AssistantsPage(): ReactNode {
  const texts = useAssistantTexts();
  const { uuid, can } = useWorkspace();
  const page = useCallback((number: number) => assistantsPage(uuid, number), [uuid]);
  const columns: Column<Assistant>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name }) => (
        <Link
          to="/w/$workspace/settings/assistants/$assistantId"
          params={{ workspace: uuid, assistantId: String(id) }}
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      title: texts.state,
      cell: ({ isDefault, enabled }) => (
        <>
          {isDefault ? <Status tone="done">{texts.default}</Status> : null}{' '}
          {enabled ? null : <Status>{texts.disabled}</Status>}
        </>
      ),
    },
    { id: 'changed', title: texts.changed, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  ];
  return (
    <SectionPage
      fills
      title={texts.title}
      acts={
        can('assistants:write') ? (
          <Link className="button" to="/w/$workspace/settings/assistants/new" params={{ workspace: uuid }}>
            {texts.create}
          </Link>
        ) : undefined
      }
    >
      <p>{texts.what}</p>
      <Grid label={texts.title} columns={columns} pageSize={pageSize} page={page} empty={texts.none} />
    </SectionPage>
  );
}
