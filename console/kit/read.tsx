import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.js';
import { ErrorNotice } from './error-notice.js';

interface Props<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error'>;
  children(data: T): ReactNode;
}

/** What was read. Where it cannot be read again, it stays below the reason, with what was typed in it. */
export function Read<T>({ query: { data, error }, children }: Props<T>): ReactNode {
  const { loading } = useTexts();
  if (data === undefined && error === null) return <p role="status">{loading}</p>;
  return (
    <>
      <ErrorNotice error={error} />
      {data === undefined ? null : children(data)}
    </>
  );
}
