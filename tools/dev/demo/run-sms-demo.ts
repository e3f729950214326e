import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { clinicNumber } from '../seed.js';
import { type ApiClient, adminClient, DemoError } from './api-client.js';
import { type Assignment, tryToJump, visitedTasks } from './assignment.js';
import { beginWalk, findWorkflow } from './begin-walk.js';
import { printResult } from './print-result.js';
import { answerTo, printLine } from './transcript.js';

const patienceMs = 120_000;
const lookEveryMs = 250;

/** Takes a new member through the clinic's intake by SMS. @returns the final status of the assignment */
export async function runSmsDemo(dev: DevFile): Promise<string> {
  if (dev.carrierSimulator === null) {
    throw new DemoError('The SMS demo needs the carrier simulator, but a real carrier is configured.');
  }
  const admin = adminClient(dev);
  const handset = new Handset(dev.carrierSimulator, `+1555${randomInt(2_000_000, 10_000_000)}`);
  const member = { name: 'Robin Sample', phone: handset.number };
  const { id: memberId } = await admin<{ id: number }>('POST', '/members', member);
  const workflow = await findWorkflow(admin, intakeName);
  const chat = { channel: 'phone-sms', memberId };
  const { read } = await beginWalk(dev, { as: admin, admin, workflow, chat, how: 'by SMS' });
  const ended = await new Walk(handset, admin, read).toItsEnd();
  await printResult(dev, admin, ended);
  return ended.status;
}

class Walk {
  /** The messages that were printed, with the state of their delivery. */
  readonly #shown = new Map<number, string>();
  readonly #entered = new Set<number>();
  #jumped = false;

  constructor(
    readonly handset: Handset,
    readonly admin: ApiClient,
    readonly read: () => Promise<Assignment>,
  ) {}

  async toItsEnd(): Promise<Assignment> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      // In this order, so that the task that sent a message is known.
      const messages = await this.handset.messages();
      const assignment = await this.read();
      await this.#show(assignment, messages);
      const { status } = assignment;
      if (status !== 'active' && this.#everythingDelivered()) {
        printLine('', `assignment: ${status}`);
        return assignment;
      }
      if (Date.now() > giveUpAt) throw new DemoError(`The demo timed out; the assignment is ${status}.`);
      await delay(lookEveryMs);
    }
  }

  /** Prints what is new, in the order in which it happened. */
  async #show(assignment: Assignment, messages: CarriedMessage[]): Promise<void> {
    const entered = visitedTasks(assignment).filter(({ taskId }) => !this.#entered.has(taskId));
    const news = [
      ...entered.map((task) => ({ at: task.at, show: async () => this.#showTask(task, assignment) })),
      ...messages.map((message) => ({ at: message.createdAt, show: () => this.#showMessage(message) })),
    ];
    for (const { show } of news.sort((one, other) => one.at.localeCompare(other.at))) await show();
  }

  async #showTask({ name, taskId }: { name: string; taskId: number }, assignment: Assignment): Promise<void> {
    this.#entered.add(taskId);
    printLine('', `task: ${name}`);
    if (name !== 'Your details' || this.#jumped) return;
    this.#jumped = true;
    await tryToJump(this.admin, assignment);
  }

  async #showMessage(message: CarriedMessage): Promise<void> {
    const before = this.#shown.get(message.sequence);
    // The member's own messages are printed when they are written.
    if (before === message.status || message.from !== clinicNumber) return;
    this.#shown.set(message.sequence, message.status);
    if (before === undefined) printLine(`clinic  →  ${message.body}`);
    if (message.status === 'delivered') printLine('', 'receipt: delivered');
    const answer = before === undefined ? answerTo(message.body) : undefined;
    if (answer === undefined) return;
    printLine(`member  ←  ${answer}`);
    await this.handset.write(clinicNumber, answer);
  }

  #everythingDelivered(): boolean {
    return [...this.#shown.values()].every((status) => status === 'delivered');
  }
}

interface CarriedMessage {
  sequence: number;
  from: string;
  body: string;
  status: string;
  createdAt: string;
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
    if (!response.ok) throw new DemoError(`The simulated carrier answered ${response.status}.`);
  }
}
