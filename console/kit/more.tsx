import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.js';

interface Props {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'fetchNextPage'>;
}

/** Reads the next page of a list, if it has one. */
export function More({ query: { hasNextPage, isFetching, fetchNextPage } }: Props): ReactNode {
  const { more } = useTexts();
  if (!hasNextPage) return null;
  return (
    <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
      {more}
    </button>
  );
}

/** The page after one, for `getNextPageParam`. */
export const nextPage = ({ page, totalPages }: { page: number; totalPages: number }) =>
  page < totalPages ? page + 1 : undefined;
