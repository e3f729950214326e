import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, DemoTimedOut } from './api-client.js';
import { type Assignment, tryToJump, visitedTasks } from './assignment.js';
import { answerTo, printLine } from './transcript.js';

const patienceMs = 120_000;
const checkEveryMs = 250;

/** A message of the clinic, as the member gets it. */
export interface CarriedMessage {
  sequence: number;
  from: string;
  body: string;
  status: string;
  createdAt: string;
}

/** The member of a walk, with a phone or a mailbox. */
export interface Correspondent {
  /** The status that a message of the clinic has in the end. */
  readonly settledStatus: string;
  /** What it says to a message, where that is not the usual answer. */
  answerTo?(body: string): string | undefined;
  /** The messages of the clinic that came, in order. */
  messages(): Promise<CarriedMessage[]>;
  /** Answers one of them. */
  answer(body: string, message: CarriedMessage): Promise<void>;
}

/** Prints a walk by messages, and writes what the member answers. */
export class CorrespondenceWalk {
  /** The messages that were printed, with the state of their delivery. */
  readonly #shown = new Map<number, string>();
  readonly #entered = new Set<number>();
  #jumped = false;

  constructor(
    readonly member: Correspondent,
    readonly admin: ApiClient,
    readonly read: () => Promise<Assignment>,
  ) {}

  async toItsEnd(): Promise<Assignment> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      // In this order, so that the task that sent a message is known.
      const messages = await this.member.messages();
      const assignment = await this.read();
      await this.#show(assignment, messages);
      const { status } = assignment;
      if (status !== 'active' && this.#everythingDelivered()) {
        printLine('', `assignment: ${status}`);
        return assignment;
      }
      if (Date.now() > giveUpAt) throw new DemoTimedOut(status);
      await delay(checkEveryMs);
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
    if (before === message.status) return;
    this.#shown.set(message.sequence, message.status);
    if (before === undefined) printLine(`clinic  →  ${message.body}`);
    if (message.status === 'delivered') printLine('', 'receipt: delivered');
    const answer =
      before === undefined ? (this.member.answerTo?.(message.body) ?? answerTo(message.body)) : undefined;
    if (answer === undefined) return;
    printLine(`member  ←  ${answer}`);
    await this.member.answer(answer, message);
  }

  #everythingDelivered(): boolean {
    return [...this.#shown.values()].every((status) => status === this.member.settledStatus);
  }
}
