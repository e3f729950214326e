import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiFailure, adminClient } from '../demo/api-client.js';
import type { Assignment } from '../demo/assignment.js';
import { findWorkflow } from '../demo/begin-walk.js';
import { listMessages } from '../demo/chat-events.js';
import { printLine } from '../demo/transcript.js';
import { openWebChat, showWebChat, untilEverythingIsShown, type WebChat } from '../demo/web-chat.js';
import type { DevFile } from '../launcher/dev-file.js';

const lookEveryMs = 250;

/**
 * Shows a web chat in which a new member goes through a workflow, and sends each line of the input as this member. Lines
 * from a file or a pipe wait until the assignment waits for the member. Ends with the assignment, or with the input.
 */
export async function runChat(
  dev: DevFile,
  workflow: string,
  input: NodeJS.ReadableStream & { isTTY?: boolean },
): Promise<void> {
  const chat = await openWebChat(dev, await findWorkflow(adminClient(dev), workflow));
  const over = new AbortController();
  const { signal } = over;
  const showing = showWebChat(chat, signal, async () => undefined);
  const ended = untilEverythingIsShown(chat, signal);
  const lines = createInterface({ input });
  const mayWrite = input.isTTY ? async () => undefined : () => untilMembersTurn(chat, signal);
  const sending = sendLines(chat, lines, mayWrite);
  const end = await Promise.race([ended, showing, sending]);
  lines.close();
  over.abort();
  await Promise.allSettled([showing, ended, sending]);
  if (end !== undefined) printEnd(end);
}

/** Sends each line as the member, and waits for the answer to the last one. */
async function sendLines(
  { member, chatId }: WebChat,
  lines: AsyncIterable<string>,
  mayWrite: () => Promise<void>,
): Promise<undefined> {
  for await (const line of lines) {
    if (line.trim() === '') continue;
    await mayWrite();
    try {
      await member('POST', `/chats/${chatId}/messages`, { content: line });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      printLine('', `not sent: ${error.problem.detail}`);
    }
  }
  await mayWrite();
}

async function untilMembersTurn(
  { admin, read, screen, chatId }: WebChat,
  signal: AbortSignal,
): Promise<void> {
  const { id } = await read();
  for (;;) {
    const { state } = await admin<{ state?: string }>('GET', `/assignments/${id}/current-task-detail`);
    if (state === 'waits for the member') {
      const messages = await listMessages(admin, chatId);
      if (messages.every((message) => screen.hasShown(message.id))) return;
    }
    await delay(lookEveryMs, undefined, { signal });
  }
}

function printEnd({ id, status, outcome, outcomeReason, dataRecords }: Assignment): void {
  const reason = outcomeReason === undefined ? '' : `: ${outcomeReason}`;
  printLine('', `assignment ${id}: ${status}${outcome === undefined ? '' : `, ${outcome}${reason}`}`);
  for (const { fieldValues } of dataRecords) printLine('', `record: ${JSON.stringify(fieldValues)}`);
}
