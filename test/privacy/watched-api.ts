import { apiPrefix } from '../../api/http/app.js';
import { type ApiResponse, apiAt, type TestApi } from '../support/api/api.js';

export interface SeenProblem {
  request: string;
  status: number;
  code: string;
  /** Its headers and its body. */
  text: string;
}

export type Asking = Omit<TestApi, 'close'>;

/** An api of which every problem is kept that it answers. */
export interface WatchedApi extends Asking {
  problems: SeenProblem[];
  /** Sends a body as it is. `path` is below `/api/v2`. */
  send(
    method: string,
    path: string,
    init: { body?: string; headers?: Record<string, string> },
  ): Promise<void>;
}

export function watchApi(baseUrl: string): WatchedApi {
  const api = apiAt(baseUrl);
  const problems: SeenProblem[] = [];
  const note = (request: string, { status, headers, body }: ApiResponse<{ code: string }>) => {
    if (!headers.get('Content-Type')?.startsWith('application/problem+json')) return;
    // The time of day is what it is.
    const told = [...headers].filter(([name]) => name !== 'date');
    problems.push({ request, status, code: body.code, text: JSON.stringify([told, body]) });
  };
  return {
    baseUrl,
    problems,
    async request(method, path, given) {
      const answer = await api.request(method, path, given);
      note(`${method} ${path}`, answer as ApiResponse<{ code: string }>);
      return answer as never;
    },
    async send(method, path, init) {
      const response = await fetch(baseUrl + apiPrefix + path, { method, ...init });
      const { status, headers } = response;
      // A stream would not end.
      if (headers.get('Content-Type')?.startsWith('application/problem+json') !== true) {
        await response.body?.cancel();
        return;
      }
      const body = (await response.json()) as { code: string };
      note(`${method} ${path}`, { status, headers, body });
    },
  };
}
