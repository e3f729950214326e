import { describe, expect, it } from 'vitest';
import { allScopes, type Scope } from '../../../domain/kernel/scopes.js';
import { addApiKey, addMember, type TestWorkspace } from '../workspace/factories.js';
import type { TestApi } from './api.js';

/** An endpoint as the common access tests call it. */
export interface AccessCase {
  method: string;
  /** Below the workspace's path. */
  path: string;
  /** What a credential has to name; the role needs it as a permission too when `writes`. */
  scope: Scope;
  writes: boolean;
  body?: unknown;
  /** Whether the path names something of the workspace, which is not found in another one. */
  namesItem: boolean;
}

export interface AccessSetup {
  api: TestApi;
  workspace: TestWorkspace;
  otherWorkspace: TestWorkspace;
}

/** What holds for every endpoint of a workspace: who is turned away, and how. */
export function describeAccess(setup: () => AccessSetup, names: string[], cases: () => AccessCase[]): void {
  describe.each(names.map((name, index) => ({ name, index })))('access to $name', ({ index }) => {
    const call = (apiKey: string | undefined, workspace: TestWorkspace) => {
      const { method, path, body } = caseAt(cases(), index);
      return setup().api.request(method, workspace.path(path), {
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(body === undefined ? {} : { body }),
      });
    };

    it('is refused without credentials', async () => {
      const answer = await call(undefined, setup().workspace);

      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    });

    it('is refused to a credential that lacks the scope, which is named', async () => {
      const { workspace } = setup();
      const { scope } = caseAt(cases(), index);
      const scopes = allScopes.filter((other) => other !== scope);
      const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

      const answer = await call(apiKey, workspace);

      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      expect(answer.body.detail).toContain(scope);
    });

    it('is refused to a role without the permission where one is needed', async () => {
      const { workspace } = setup();
      const { scope, writes } = caseAt(cases(), index);
      const plain = await addMember(workspace, { role: workspace.roles.member, scopes: allScopes });

      const answer = await call(plain.apiKey, workspace);

      if (!writes) expect(answer.status).toBe(200);
      else expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      if (writes) expect(answer.body.detail).toContain(scope);
    });

    it('is not found by members of another workspace', async () => {
      const { workspace, otherWorkspace } = setup();

      const inThisOne = await call(otherWorkspace.admin.apiKey, workspace);
      expect(inThisOne).toMatchObject({ status: 404, body: { code: 'not_found' } });

      if (!caseAt(cases(), index).namesItem) return;
      const inTheirs = await call(otherWorkspace.admin.apiKey, otherWorkspace);
      expect(inTheirs).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });
  });
}

function caseAt(cases: AccessCase[], index: number): AccessCase {
  const found = cases[index];
  if (found === undefined) throw new Error(`there is no access case ${index}`);
  return found;
}
