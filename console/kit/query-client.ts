import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasNoAnswer, ProblemError } from './api.js';
import { reportSessionEnded } from './session.js';

function onError(error: Error): void {
  if (error instanceof ProblemError && error.problem.status === 401) reportSessionEnded();
}

/** What has been read. The streams say what has changed, so nothing is read again by time or by focus. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 3 && hasNoAnswer(error),
    },
    // Without a connection, an act fails at once, and can be tried again.
    // What it answers, such as a secret, is kept as long as it is shown.
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
});
