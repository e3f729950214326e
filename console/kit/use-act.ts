import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { usePlace } from './place.js';

/** An act after which what it may have changed is read again: keys of queries, after that of the place. */
export function useAct<Result, T = void>(act: (given: T) => Promise<Result>, ...changed: QueryKey[]) {
  const { uuid } = usePlace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all(
        [...changed, ['overview']].map((key) => queries.invalidateQueries({ queryKey: [uuid, ...key] })),
      ),
  });
}
