import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../kit/workspace.js';

/** An act after which what it may have changed is read again: keys of queries, after that of the workspace. */
export function useAct<T, Result>(act: (given: T) => Promise<Result>, ...changed: QueryKey[]) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: async () => {
      for (const key of [['assignments'], ['overview'], ...changed]) {
        await queries.invalidateQueries({ queryKey: [uuid, ...key] });
      }
    },
  });
}
