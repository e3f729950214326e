import { insertLabel } from '../../../../db/lib/labels.js';
import { memberLabelTable } from '../../../../db/people/member-labels.js';
import type { ApiResponse, TestApi } from '../../../support/api/api.js';
import { randomTag, type TestWorkspace } from '../../../support/workspace/factories.js';

/** Signs people up in a workspace, as its admin unless told. */
export function signUpDesk(api: Pick<TestApi, 'request'>, workspace: TestWorkspace, apiKey?: string) {
  return (
    member: object,
    data?: object,
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
  ): Promise<ApiResponse<any>> =>
    api.request('POST', workspace.path('/create-signup'), {
      apiKey: apiKey ?? workspace.admin.apiKey,
      body: { member, ...(data === undefined ? {} : { data }) },
    });
}

/** A member label of the workspace; its slug. */
export async function addLabel(
  workspace: TestWorkspace,
): Promise<{ id: number; slug: string; name: string }> {
  const slug = `label-${randomTag()}`;
  const values = { name: `Label ${slug}`, slug, color: '#336699' };
  const { id, name } = await workspace.within((tx) => insertLabel(tx, memberLabelTable, values, new Date()));
  return { id, slug, name };
}

/** How many members, accounts, memberships, tokens, records and events there are, over all workspaces. */
export const countedTables = [
  'members',
  'member_label_links',
  'data_records',
  'data_record_changes',
  'events',
  'identity.accounts',
  'identity.memberships',
  'identity.member_tokens',
] as const;
