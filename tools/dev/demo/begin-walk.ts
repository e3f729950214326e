import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { type ApiClient, findIntake } from './api-client.js';
import type { Assignment } from './assignment.js';
import { printHeading } from './transcript.js';

/** A walk that has begun: its chat, and a function that reads its assignment. */
export interface BegunWalk {
  chatId: number;
  read: () => Promise<Assignment>;
}

/** Opens the chat in which a member goes through the intake, and prints where its run can be seen. */
export async function beginWalk(
  dev: DevFile,
  admin: ApiClient,
  { as = admin, chat, how }: { as?: ApiClient; chat: { channel: string; memberId?: number }; how: string },
): Promise<BegunWalk> {
  const workflowId = await findIntake(admin);
  const made = await as<{ id: number; assignmentId: number }>('POST', '/chats', { ...chat, workflowId });
  const read = () => admin<Assignment>('GET', `/assignments/${made.assignmentId}`);
  const { uuid } = await read();
  printHeading(`${intakeName}: a new member goes through it ${how}`);
  if (dev.temporalUi !== null) {
    console.log(`The run: ${dev.temporalUi}/namespaces/default/workflows/assignment-${uuid}\n`);
  }
  return { chatId: made.id, read };
}
