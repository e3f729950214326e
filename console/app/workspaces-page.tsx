import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { useTexts } from '../texts/texts.js';
import { FailedPage } from './problem-pages.js';

/** Where a colleague begins: in its workspace, or with the choice of one. */
export function WorkspacesPage(): ReactNode {
  const texts = useTexts();
  const query = { pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
  const { data, error } = useQuery({
    queryKey: ['workspaces'],
    queryFn: () => answer(api.GET('/workspaces', { params: { query } })),
  });
  if (error !== null) return <FailedPage error={error} />;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  const [only, ...others] = data.items;
  if (only !== undefined && others.length === 0) {
    return <Navigate to="/w/$workspace" params={{ workspace: only.uuid }} replace />;
  }
  return (
    <main className="plain">
      <h1>{texts.workspaces}</h1>
      {data.items.length === 0 ? <p>{texts.noWorkspaces}</p> : null}
      <ul>
        {data.items.map(({ uuid, name }) => (
          <li key={uuid}>
            <Link to="/w/$workspace" params={{ workspace: uuid }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}
