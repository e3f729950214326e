import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { recordsHook } from '../seed/tell-of-records.js';
import { clinicNumber } from '../seed.js';
import { type ApiClient, ApiFailure, apiClient, DemoError, findIntake } from './api-client.js';
import { answerTo, type Outcome, printHeading, printLine, printResult } from './transcript.js';

interface Task {
  id: number;
  taskName: string;
  children: Task[];
}

interface Assignment extends Outcome {
  id: number;
  uuid: string;
  taskName?: string;
  rootTask: Task;
  dataRecords: { fieldValues: Record<string, unknown> }[];
}

const patienceMs = 120_000;
const webhookPatienceMs = 10_000;
const lookEveryMs = 250;

/** Takes a new member through the clinic's intake by SMS. @returns the final status of the assignment */
export async function runSmsDemo(dev: DevFile): Promise<string> {
  if (dev.carrierSimulator === null) {
    throw new DemoError('The SMS demo needs the carrier simulator, but a real carrier is configured.');
  }
  const api = apiClient(dev);
  const handset = new Handset(dev.carrierSimulator, `+1555${randomInt(2_000_000, 10_000_000)}`);

  const workflowId = await findIntake(api);
  const member = { name: 'Robin Sample', phone: handset.number };
  const { id: memberId } = await api<{ id: number }>('POST', '/members', member);
  const chat = { channel: 'phone-sms', workflowId, memberId };
  const { assignmentId } = await api<{ assignmentId: number }>('POST', '/chats', chat);
  const read = () => api<Assignment>('GET', `/assignments/${assignmentId}`);
  const { uuid } = await read();
  printHeading(`${intakeName}: a member goes through it by SMS`);
  if (dev.temporalUi !== null) {
    console.log(`The run: ${dev.temporalUi}/namespaces/default/workflows/assignment-${uuid}\n`);
  }

  const ended = await new Walk(handset, api, read).toItsEnd();
  printResult(ended);
  for (const record of ended.dataRecords) console.log(`record   ${JSON.stringify(record.fieldValues)}`);
  for (const line of await webhooksAbout(dev.webhookSink, memberId)) console.log(`webhook  ${line}`);
  return ended.status;
}

class Walk {
  readonly #shown = new Map<number, string>();
  #taskName = '';
  #jumped = false;

  constructor(
    readonly handset: Handset,
    readonly api: ApiClient,
    readonly read: () => Promise<Assignment>,
  ) {}

  async toItsEnd(): Promise<Assignment> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      const assignment = await this.read();
      this.#showTask(assignment);
      await this.#showMessages();
      if (assignment.status !== 'active' && this.#everythingDelivered()) return assignment;
      if (Date.now() > giveUpAt) {
        const { status } = assignment;
        throw new DemoError(`The demo timed out in task “${this.#taskName}” (assignment ${status}).`);
      }
      if (!this.#jumped && this.#taskName === 'Your details') await this.#tryToJump(assignment);
      await delay(lookEveryMs);
    }
  }

  #showTask(assignment: Assignment): void {
    const name = assignment.status === 'active' ? (assignment.taskName ?? '') : assignment.status;
    if (name === this.#taskName) return;
    this.#taskName = name;
    printLine('', assignment.status === 'active' ? `task: ${name}` : `assignment: ${name}`);
  }

  async #showMessages(): Promise<void> {
    for (const message of await this.handset.messages()) {
      const before = this.#shown.get(message.sequence);
      if (before === message.status) continue;
      this.#shown.set(message.sequence, message.status);
      const outbound = message.from === clinicNumber;
      if (before === undefined) {
        printLine(`${outbound ? 'clinic  →' : 'member  ←'}  ${message.body}`);
        const answer = outbound ? answerTo(message.body) : undefined;
        if (answer !== undefined) await this.handset.write(clinicNumber, answer);
      }
      if (outbound && message.status === 'delivered') printLine('', 'receipt: delivered');
    }
  }

  #everythingDelivered(): boolean {
    return [...this.#shown.values()].every((status) => status === 'delivered' || status === 'received');
  }

  /** Shows that a guard also applies to an operator who tries to jump to the last task. */
  async #tryToJump(assignment: Assignment): Promise<void> {
    this.#jumped = true;
    const done = flatten(assignment.rootTask).find((task) => task.taskName === 'Done');
    try {
      await this.api('PUT', `/assignments/${assignment.id}/tasks/${done?.id}/select`);
      throw new DemoError('A guard let an operator jump to the end.');
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      printLine('operator  tries to jump to “Done”', `refused: ${error.problem.code}`);
      printLine(`             ${error.problem.detail}`);
    }
  }
}

function flatten(task: Task): Task[] {
  return [task, ...task.children.flatMap(flatten)];
}

interface CarriedMessage {
  sequence: number;
  direction: string;
  from: string;
  to: string;
  body: string;
  status: string;
}

class Handset {
  constructor(
    readonly carrier: string,
    readonly number: string,
  ) {}

  async messages(): Promise<CarriedMessage[]> {
    const query = new URLSearchParams({ handset: this.number });
    const response = await fetch(`${this.carrier}/simulator/messages?${query}`);
    return (await response.json()) as CarriedMessage[];
  }

  async write(to: string, body: string): Promise<void> {
    const path = `/simulator/handsets/${encodeURIComponent(this.number)}/messages`;
    const response = await fetch(this.carrier + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ to, body }),
    });
    if (!response.ok) throw new Error(`the simulated carrier answered ${response.status}`);
  }
}

interface ReceivedWebhook {
  body: string;
  signature: string;
  answered: string | null;
}

/**
 * Waits for webhooks about a member's data records at the webhook sink.
 * @returns one line for each webhook; empty if none arrives in time, for example because the rule is disabled
 */
async function webhooksAbout(sink: string, memberId: number): Promise<string[]> {
  const giveUpAt = Date.now() + webhookPatienceMs;
  for (;;) {
    const response = await fetch(`${sink}/deliveries?${new URLSearchParams({ name: recordsHook })}`);
    const received = (await response.json()) as ReceivedWebhook[];
    const lines = received.flatMap((webhook) => lineOf(webhook, memberId) ?? []);
    if (lines.length > 0 || Date.now() > giveUpAt) return lines;
    await delay(lookEveryMs);
  }
}

function lineOf({ body, signature, answered }: ReceivedWebhook, memberId: number): string | undefined {
  const { event, operation, dataRecord } = JSON.parse(body) as {
    event: string;
    operation: string;
    dataRecord: { id: number; memberId: number | null };
  };
  if (dataRecord.memberId !== memberId) return undefined;
  return `${event}: record ${dataRecord.id} was ${operation}; signature ${signature}, answered ${answered ?? '-'}`;
}
