import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { type Column, Grid } from '../kit/grid.js';
import { Page } from '../kit/page.js';
import { SearchField } from '../kit/search-field.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { pageSize, type Template, templatesPage } from './queries.js';
import { useTemplateTexts } from './texts.js';

/** The message templates of the workspace. */
export function TemplatesPage(): ReactNode {
  const texts = useTemplateTexts();
  const { uuid, can } = useWorkspace();
  const { search } = useSearch({ from: '/w/$workspace/templates/' });
  const navigate = useNavigate({ from: '/w/$workspace/templates' });
  const params = { workspace: uuid };
  const page = useCallback((number: number) => templatesPage(uuid, search, number), [uuid, search]);
  const columns: Column<Template>[] = [
    {
      id: 'name',
      title: texts.name,
      width: '30%',
      cell: ({ id, name }) => (
        <Link to="/w/$workspace/templates/$templateId" params={{ ...params, templateId: String(id) }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'shortcut',
      title: texts.shortcut,
      width: '8rem',
      cell: ({ shortcut }) => (shortcut === null ? null : <code>/{shortcut}</code>),
    },
    { id: 'text', title: texts.text, cell: ({ text }) => <span dir="auto">{text}</span> },
    { id: 'changed', title: texts.changed, width: '9rem', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  ];
  return (
    <Page
      fills
      title={texts.title}
      acts={
        can('workspace:write') ? (
          <Link className="button" to="/w/$workspace/templates/new" params={params}>
            {texts.create}
          </Link>
        ) : undefined
      }
    >
      <search>
        <SearchField
          label={texts.search}
          value={search}
          onSearch={(text) => void navigate({ search: { search: text }, replace: true })}
        />
      </search>
      <Grid
        label={texts.title}
        columns={columns}
        pageSize={pageSize}
        page={page}
        empty={search === undefined ? texts.none : texts.noneFound}
      />
    </Page>
  );
}
