import type { DevFile } from '../launcher/dev-file.js';

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    readonly problem: { code?: string; detail?: string },
  ) {
    super(`${status} ${problem.code}: ${problem.detail}`);
  }
}

/** An error whose message is printed on the terminal without a stack trace. */
export class DemoError extends Error {
  override readonly name: string = 'DemoError';
}

/** The demo did not end in time. */
export class DemoTimedOut extends DemoError {
  override readonly name = 'DemoTimedOut';

  /** @param status of the assignment */
  constructor(status: string) {
    super(`The demo timed out; the assignment is ${status}.`);
  }
}

/** Calls the API of the demo workspace. */
export interface ApiClient {
  <Body>(method: string, path: string, body?: object): Promise<Body>;
  /** Opens a stream. @throws DemoError if it is refused */
  stream(
    path: string,
    signal: AbortSignal,
    headers?: Record<string, string>,
  ): Promise<ReadableStream<Uint8Array>>;
}

/** A client with the key of the demo's admin. */
export function adminClient(dev: DevFile): ApiClient {
  return clientWith(dev, { Authorization: `Bearer ${dev.adminApiKey}` });
}

/** A client with a session of this member, as the member's browser has it after it has exchanged a member token. */
export async function memberClient(dev: DevFile, admin: ApiClient, memberId: number): Promise<ApiClient> {
  const { token } = await admin<{ token: string }>('POST', `/members/${memberId}/tokens`);
  const response = await fetch(`${dev.baseUrl}/api/v2/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ memberToken: token }),
  });
  if (!response.ok) throw new DemoError(`The member could not sign in: ${response.status}.`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return clientWith(dev, { Cookie: cookies.join('; '), Origin: dev.baseUrl });
}

function clientWith(dev: DevFile, credentials: Record<string, string>): ApiClient {
  const base = `${dev.baseUrl}/api/v2/w/${dev.workspaceUuid}`;
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(base + path, {
      method,
      headers: { ...credentials, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = response.status === 204 ? undefined : await response.json();
    if (!response.ok) throw new ApiFailure(response.status, answer as ApiFailure['problem']);
    return answer as Body;
  };
  const stream: ApiClient['stream'] = async (path, signal, headers = {}) => {
    const response = await fetch(base + path, { signal, headers: { ...credentials, ...headers } });
    if (response.ok && response.body !== null) return response.body;
    throw new DemoError(`The stream ${path} was refused: ${response.status}.`);
  };
  return Object.assign(call, { stream });
}
