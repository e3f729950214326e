import type { DevFile } from '../launcher/dev-file.js';
import { type ApiClient, DemoError } from './api-client.js';
import type { Assignment } from './assignment.js';
import { checkUntil } from './look-until.js';
import { printHeading } from './transcript.js';

export interface Workflow {
  id: number;
  name: string;
}

/** Finds a workflow of the demo workspace by its id or its name. @throws DemoError with the names that there are */
export async function findWorkflow(api: ApiClient, idOrName: string): Promise<Workflow> {
  const { items } = await api<{ items: Workflow[] }>(
    'GET',
    '/workflows?pageSize=100&sortBy=createdAt&sortOrder=desc',
  );
  const found = items.find(({ id, name }) => name === idOrName || String(id) === idOrName);
  if (found !== undefined) return found;
  const names = items.map(({ id, name }) => `${id} “${name}”`).join(', ');
  throw new DemoError(`The demo workspace has no workflow “${idOrName}”. It has ${names}.`);
}

/** A walk that has begun: its chat, and a function that reads its assignment. */
export interface StartedWalk {
  chatId: number;
  read: () => Promise<Assignment>;
}

/** Opens the chat in which a member goes through a workflow, and prints where its run can be seen. */
export async function beginWalk(
  dev: DevFile,
  begin: {
    /** Opens the chat. */
    as: ApiClient;
    admin: ApiClient;
    workflow: Workflow;
    chat: { channel: string; memberId?: number };
    how: string;
  },
): Promise<StartedWalk> {
  const { as, admin, workflow, chat, how } = begin;
  await awaitFiles(admin);
  const body = { ...chat, workflowId: workflow.id };
  const made = await as<{ id: number; assignmentId: number }>('POST', '/chats', body);
  const read = () => admin<Assignment>('GET', `/assignments/${made.assignmentId}`);
  printHeading(`${workflow.name}: a new member goes through it ${how}`);
  printRun(dev, await read());
  return { chatId: made.id, read };
}

/** Prints where the run of an assignment can be seen. */
export function printRun({ temporalUi }: DevFile, { uuid }: Assignment): void {
  if (temporalUi === null) return;
  console.log(`The run: ${temporalUi}/namespaces/default/workflows/assignment-${uuid}\n`);
}

/** Waits until the texts of the seeded files can be searched, so that the agent finds its answer in them. */
export async function awaitFiles(admin: ApiClient): Promise<void> {
  await checkUntil(15_000, async () => {
    const { pendingFiles } = await admin<{ pendingFiles: number }>('GET', '/files/search?q=clinic&limit=1');
    return pendingFiles === 0 || undefined;
  });
}
