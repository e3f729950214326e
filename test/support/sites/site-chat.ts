import { randomUUID } from 'node:crypto';
import type { ApiRequest, ApiResponse, TestApi } from '../api/api.js';
import { conversationTasks, publishDefinition } from '../workspace/definitions.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

export interface ChatSite {
  id: number;
  uuid: string;
  workflowId: number;
  /** Below `/api/v2`. */
  path: string;
}

/** A public site whose visitors can chat, by a workflow that begins with a conversation. */
export async function addChatSite(
  api: Pick<TestApi, 'request'>,
  workspace: TestWorkspace,
  values: object = {},
): Promise<ChatSite> {
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  const { apiKey } = workspace.admin;
  const body = { name: `Site ${randomTag()}`, isPublic: true, defaultWorkflowId: workflowId, ...values };
  const { body: site } = await api.request('POST', workspace.path('/sites'), { apiKey, body });
  const { id, uuid } = site;
  return { id, uuid, workflowId, path: `/s/${workspace.workspaceUuid}/${uuid}` };
}

// biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
type Answer = Promise<ApiResponse<any>>;

/** The browser of a visitor. */
export interface TestVisitor {
  token: string;
  request(method: string, path: string, request?: ApiRequest): Answer;
  write(text: string, more?: object): Answer;
}

/** A visitor who has a token and has written nothing yet. */
export async function visit(
  api: Pick<TestApi, 'request'>,
  site: Pick<ChatSite, 'path'>,
  headers: Record<string, string> = {},
): Promise<TestVisitor> {
  const begun = await api.request('POST', `${site.path}/visitors`, { headers });
  if (begun.status !== 201) throw new Error(`no visit began: ${begun.status} ${JSON.stringify(begun.body)}`);
  return visitorWith(api, site, begun.body.token, headers);
}

/** @param headers of all requests, such as the address of the browser */
export function visitorWith(
  api: Pick<TestApi, 'request'>,
  site: Pick<ChatSite, 'path'>,
  token: string,
  headers: Record<string, string> = {},
): TestVisitor {
  const request: TestVisitor['request'] = (method, path, given = {}) =>
    api.request(method, site.path + path, {
      ...given,
      apiKey: token,
      headers: { ...headers, ...given.headers },
    });
  return {
    token,
    request,
    write: (text, more = {}) =>
      request('POST', '/chat/messages', { body: { id: randomUUID(), text, ...more } }),
  };
}
