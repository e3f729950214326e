import { describe, expect, it } from 'vitest';
import { allScopes, alsoOpenedBy, type Scope } from '../../../domain/kernel/scopes.js';
import { addApiKey, addMember, type TestWorkspace } from '../workspace/factories.js';
import type { TestApi } from './api.js';

/** An endpoint as the common access tests call it. */
export interface AccessCase {
  method: string;
  /** Below the workspace's path. */
  path: string;
  /** What a credential has to name. */
  scope: Scope;
  /** Whether the role needs the scope as a permission too; otherwise a plain member is served. */
  needsPermission: boolean;
  body?: unknown;
  /** Sent instead of a body. */
  multipart?: FormData;
  /** The answer to members who are served; by default 200. */
  served?: number;
  /** Whether the path names something of the workspace, which is not found in another one. */
  namesItem: boolean;
}

export interface AccessSetup {
  api: TestApi;
  workspace: TestWorkspace;
  otherWorkspace: TestWorkspace;
}

/** What holds for every endpoint of a workspace: who is turned away, and how. */
export function describeAccess(setup: AccessSetup, names: string[], cases: () => AccessCase[]): void {
  describe.each(names.map((name, index) => ({ name, index })))('access to $name', ({ index }) => {
    const called = () => {
      const found = cases()[index];
      if (found === undefined) throw new Error(`there is no access case ${index}`);
      return found;
    };
    const call = (member: { apiKey?: string }, workspace: TestWorkspace) => {
      const { method, path, body, multipart } = called();
      const sent = multipart === undefined ? { body } : { multipart };
      return setup.api.request(method, workspace.path(path), { ...member, ...sent });
    };

    it('is refused without credentials', async () => {
      const answer = await call({}, setup.workspace);
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    });

    it('is refused to a credential that lacks the scope, which is named', async () => {
      const { workspace } = setup;
      const { scope } = called();
      const scopes = allScopes.filter((other) => other !== scope && other !== alsoOpenedBy[scope]);
      const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

      const body = { code: 'insufficient_scope', detail: expect.stringContaining(scope) };
      expect(await call({ apiKey }, workspace)).toMatchObject({ status: 403, body });
    });

    it('is refused to a role without the permission where one is needed', async () => {
      const { workspace } = setup;
      const { scope, needsPermission, served = 200 } = called();
      const { apiKey } = await addMember(workspace, { role: workspace.roles.member, scopes: allScopes });

      const answer = await call({ apiKey }, workspace);

      const refused = { status: 403, body: { code: 'forbidden', detail: expect.stringContaining(scope) } };
      expect(answer).toMatchObject(needsPermission ? refused : { status: served });
    });

    it('is not found by members of another workspace', async () => {
      const { workspace, otherWorkspace } = setup;
      const { apiKey } = otherWorkspace.admin;
      for (const place of called().namesItem ? [workspace, otherWorkspace] : [workspace])
        expect(await call({ apiKey }, place)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });
  });
}
