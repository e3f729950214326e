import type { DevFile } from '../launcher/dev-file.js';

/** An answer that was not a success. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    readonly problem: { code?: string; detail?: string },
  ) {
    super(`${status} ${problem.code}: ${problem.detail}`);
  }
}

/** Calls the service as the demo workspace's admin, as any API client would. */
export function apiClient(dev: DevFile) {
  const base = `${dev.baseUrl}/api/v2/w/${dev.workspaceUuid}`;
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        Authorization: `Bearer ${dev.adminApiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new ApiFailure(response.status, answer as { code?: string; detail?: string });
    return answer as Body;
  };
}

export type ApiClient = ReturnType<typeof apiClient>;
