import type { TestMember, TestWorkspace } from '../workspace/factories.js';
import type { ApiResponse, TestApi } from './api.js';

/** Calls below the workspace's path, as one of its members. */
export function callAs(
  api: Pick<TestApi, 'request'>,
  workspace: TestWorkspace,
  member: Pick<TestMember, 'apiKey'>,
) {
  return (
    method: string,
    path: string,
    body?: unknown,
    query: Record<string, string | number> = {},
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
  ): Promise<ApiResponse<any>> =>
    api.request(method, workspace.path(path), {
      apiKey: member.apiKey,
      query,
      ...(body === undefined ? {} : { body }),
    });
}

/** Where a problem points to. */
export function pointersOf(problem: { errors: { pointer: string }[] }): string[] {
  return problem.errors.map(({ pointer }) => pointer);
}
