import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiFailure, adminClient } from '../demo/api-client.js';
import { type Assignment, findTask } from '../demo/assignment.js';
import { findWorkflow } from '../demo/begin-walk.js';
import { printLine } from '../demo/transcript.js';
import {
  isEverythingShown,
  openWebChat,
  showWebChat,
  untilEverythingIsShown,
  type WebChat,
} from '../demo/web-chat.js';
import type { DevFile } from '../launcher/dev-file.js';

const checkEveryMs = 250;
/** A wait that ends sooner is waited for. */
const soonMs = 60_000;
const checksUntilTakenIn = 8;
/** States in which nothing goes on before somebody writes. */
const membersTurn =
  /^(waits for the member|waits for a person|paused|completed, waits|the agent is stopped|.*(; waits for a select|, rests until))/;

/**
 * Shows a web chat in which a new member goes through a workflow, and sends each line of the input as this member. Lines
 * from a file or a pipe wait until it is the member's turn. Ends with the assignment, or with the input.
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
  const telling = tellOfWaits(chat, signal);
  const end = await Promise.race([ended, showing, sending]);
  lines.close();
  over.abort();
  await Promise.allSettled([showing, ended, sending, telling]);
  if (end !== undefined) printEnd(end);
  else printWhereItStands(await currentTask(chat));
}

/** Sends each line as the member, or does what it asks for, and waits for the answer to the last one. */
async function sendLines(
  chat: WebChat,
  lines: AsyncIterable<string>,
  mayWrite: () => Promise<void>,
): Promise<undefined> {
  for await (const line of lines) {
    if (line.trim() === '') continue;
    await mayWrite();
    try {
      await takeLine(chat, line.trim());
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      printLine('', `refused: ${error.problem.detail}`);
    }
  }
  await mayWrite();
}

async function takeLine({ admin, member, chatId, read }: WebChat, line: string): Promise<void> {
  const name = /^\/go +(.+)$/.exec(line)?.[1];
  if (name === undefined) return member('POST', `/chats/${chatId}/messages`, { content: line });
  const assignment = await read();
  const task = findTask(assignment, name);
  if (task === undefined) return printLine('', `the workflow has no task “${name}”`);
  await admin('PUT', `/assignments/${assignment.id}/tasks/${task.id}/select`);
}

/** What the current task waits for; `dueAt`: when it goes on by itself. */
interface CurrentTask {
  taskName: string;
  taskType: string;
  state: string;
  dueAt?: string;
}

async function currentTask({ admin, read }: WebChat): Promise<CurrentTask> {
  const { id } = await read();
  return admin('GET', `/assignments/${id}/current-task-detail`);
}

/** Says how long each wait lasts, until the signal. */
async function tellOfWaits(chat: WebChat, signal: AbortSignal): Promise<void> {
  let told: string | undefined;
  while (!signal.aborted) {
    const { taskType, taskName, state, dueAt } = await currentTask(chat);
    const isLong = taskType === 'wait' && !isSoon(dueAt);
    if (isLong && told !== taskName) {
      const until = dueAt === undefined ? '' : `, until ${dueAt}`;
      printLine('', `${state}${until}. To let the time pass: /go <task>`);
    }
    told = isLong ? taskName : undefined;
    await delay(checkEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function isSoon(dueAt: string | undefined): boolean {
  return dueAt !== undefined && Date.parse(dueAt) - Date.now() < soonMs;
}

/** Resolves when all that was said is shown, and nothing goes on before somebody writes. */
async function untilMembersTurn(chat: WebChat, signal: AbortSignal): Promise<void> {
  let checksInWait = 0;
  for (;;) {
    const { taskType, state, dueAt } = await currentTask(chat);
    checksInWait = taskType === 'wait' && !isSoon(dueAt) ? checksInWait + 1 : 0;
    // The run has yet to take in what was written in a wait.
    const isAwaited = membersTurn.test(state) || checksInWait > checksUntilTakenIn;
    if (isAwaited && (await isEverythingShown(chat))) return;
    await delay(checkEveryMs, undefined, { signal });
  }
}

/** The input has ended before the assignment. */
function printWhereItStands({ taskName, state }: CurrentTask): void {
  const standing = state.startsWith('paused') ? 'a colleague has it (npm run desk)' : state;
  printLine('', `nothing more is written; the assignment is in “${taskName}”: ${standing}`);
}

function printEnd({ id, status, outcome, outcomeReason, dataRecords }: Assignment): void {
  const reason = outcomeReason === undefined ? '' : `: ${outcomeReason}`;
  printLine('', `assignment ${id}: ${status}${outcome === undefined ? '' : `, ${outcome}${reason}`}`);
  for (const { fieldValues } of dataRecords) printLine('', `record: ${JSON.stringify(fieldValues)}`);
}
