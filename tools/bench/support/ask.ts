import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';

/** Sends a request that has to succeed, and reads the whole answer. */
export async function send(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  const answer = await response.text();
  if (!response.ok)
    throw new Error(`${init.method ?? 'GET'} ${url} was answered ${response.status}: ${answer}`);
  return answer;
}

/** `send` with a body of JSON. */
export const sendJson = (url: string, method: string, body: object, headers: Record<string, string> = {}) =>
  send(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Sends a request of the admin, or of the member with `apiKey`, that has to succeed. @returns the answer, if any */
export async function ask<T>(
  { workspace }: Pick<Stage, 'workspace'>,
  api: Pick<StageProcess, 'url'>,
  method: string,
  path: string,
  { body, apiKey = workspace.admin.apiKey }: { body?: object; apiKey?: string } = {},
): Promise<T> {
  const url = `${api.url}/api/v2${workspace.path(path)}`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await (body ? sendJson(url, method, body, headers) : send(url, { method, headers }));
  return (answer === '' ? undefined : JSON.parse(answer)) as T;
}

/** Creates the default assistant. @returns the id of its member */
export async function addAssistant({ workspace }: Stage): Promise<number> {
  const assistant = { name: 'Assistant', instructions: 'Be brief.', isDefault: true };
  return (await createAssistant(workspace.context(), assistant)).memberId;
}
