import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useTexts } from '../texts/texts.js';
import { FailedPage } from './problem-pages.js';

/** Where a colleague begins: in its workspace, or with the choice of one. */
export function WorkspacesPage(): ReactNode {
  const texts = useTexts();
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['workspaces'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page }) =>
      answer(
        api.GET('/workspaces', {
          params: { query: { page, pageSize: 100, sortBy: 'name', sortOrder: 'asc' } },
        }),
      ),
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  });
  if (data === undefined)
    return error === null ? <p role="status">{texts.loading}</p> : <FailedPage error={error} />;
  const workspaces = data.pages.flatMap(({ items }) => items);
  const [only, ...others] = workspaces;
  if (only !== undefined && others.length === 0) {
    return <Navigate to="/w/$workspace" params={{ workspace: only.uuid }} replace />;
  }
  return (
    <main className="plain">
      <h1>{texts.workspaces}</h1>
      {workspaces.length === 0 ? <p>{texts.noWorkspaces}</p> : null}
      <ul>
        {workspaces.map(({ uuid, name }) => (
          <li key={uuid}>
            <Link to="/w/$workspace" params={{ workspace: uuid }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <ErrorNotice error={error} />
      {hasNextPage ? (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {texts.more}
        </button>
      ) : null}
      <p>
        <Link to="/organizations">{texts.organizations}</Link>
      </p>
    </main>
  );
}
