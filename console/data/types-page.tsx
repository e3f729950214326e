import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, Grid } from '../kit/grid.js';
import { Page } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { type DataType, recordsInPage, typesPage } from './queries.js';
import { useDataTexts } from './texts.js';
import { useAccess } from './use-access.js';

/** The types of records that the workspace has. */
export function TypesPage(): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const { editsTypes } = useAccess(undefined);
  const columns: Column<DataType>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name }) => (
        <Link to="/w/$workspace/data/$typeId" params={{ workspace: uuid, typeId: String(id) }}>
          {name}
        </Link>
      ),
    },
    { id: 'slug', title: texts.slug, cell: ({ slug }) => <code>{slug}</code> },
    {
      id: 'kind',
      title: texts.kind,
      cell: ({ isCollection }) => (isCollection ? texts.collection : texts.single),
    },
    { id: 'fields', title: texts.fields, width: '6rem', cell: ({ fields }) => fields.length },
    { id: 'changed', title: texts.changed, cell: ({ updatedAt }) => <At at={updatedAt} withDay /> },
  ];
  return (
    <Page
      fills
      title={texts.types}
      acts={
        editsTypes ? (
          <Link className="button" to="/w/$workspace/data/new" params={{ workspace: uuid }}>
            {texts.newType}
          </Link>
        ) : undefined
      }
    >
      <Grid
        label={texts.types}
        columns={columns}
        pageSize={recordsInPage}
        page={(number) => typesPage(uuid, number)}
        empty={texts.noTypes}
      />
    </Page>
  );
}
