import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    readonly problem: { code?: string; detail?: string },
  ) {
    super(`${status} ${problem.code}: ${problem.detail}`);
  }
}

/** Calls the API of the demo workspace, by default with the key of its admin. */
export function apiClient(dev: DevFile, apiKey = dev.adminApiKey) {
  const base = `${dev.baseUrl}/api/v2/w/${dev.workspaceUuid}`;
  return async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = response.status === 204 ? undefined : await response.json();
    if (!response.ok) throw new ApiFailure(response.status, answer as ApiFailure['problem']);
    return answer as Body;
  };
}

export type ApiClient = ReturnType<typeof apiClient>;

export async function findIntake(api: ApiClient): Promise<number> {
  const path = `/workflows?search=${encodeURIComponent(intakeName)}`;
  const { items } = await api<{ items: { id: number }[] }>('GET', path);
  if (items[0] === undefined) throw new DemoError('The demo workspace has no intake workflow.');
  return items[0].id;
}

/** An error whose message is printed on the terminal without a stack trace. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
