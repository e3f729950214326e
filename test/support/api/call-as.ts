import type { TestMember, TestWorkspace } from '../workspace/factories.js';
import type { TestApi } from './api.js';

/** Calls below the workspace's path, as one of its members. */
export function callAs(
  api: Pick<TestApi, 'request'>,
  workspace: TestWorkspace,
  { apiKey }: Pick<TestMember, 'apiKey'>,
) {
  return (method: string, path: string, body?: unknown, query: Record<string, string | number> = {}) =>
    api.request(method, workspace.path(path), { apiKey, query, body });
}

/** Where a problem points to. */
export function pointersOf(problem: { errors: { pointer: string }[] }): string[] {
  return problem.errors.map(({ pointer }) => pointer);
}
