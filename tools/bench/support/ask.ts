import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';

/** Sends a request of the admin, or of the member with `apiKey`, that has to succeed, and reads the whole answer. */
export async function ask(
  { workspace }: Stage,
  api: Pick<StageProcess, 'url'>,
  method: string,
  path: string,
  { body, apiKey = workspace.admin.apiKey }: { body?: object; apiKey?: string } = {},
): Promise<void> {
  const response = await fetch(`${api.url}/api/v2${workspace.path(path)}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer}`);
}

/** Creates the default assistant. @returns the id of its member */
export async function addAssistant({ workspace }: Stage): Promise<number> {
  const assistant = { name: 'Assistant', instructions: 'Be brief.', isDefault: true };
  return (await createAssistant(workspace.context(), assistant)).memberId;
}
