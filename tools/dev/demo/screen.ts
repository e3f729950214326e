import { type Assignment, taskNames } from './assignment.js';
import type { Message, StreamedEvent } from './chat-events.js';
import { printLine } from './transcript.js';

/** Prints what the member sees: the reply word by word, typing notices and the current task. */
export class Screen {
  readonly #taskNames: ReadonlyMap<number, string>;
  readonly #shown = new Set<string>();
  #writing = false;
  #typing = false;
  #task = '';

  constructor(assignment: Assignment) {
    this.#taskNames = taskNames(assignment);
  }

  get task(): string {
    return this.#task;
  }

  hasShown(messageId: string): boolean {
    return this.#shown.has(messageId);
  }

  show({ event, data }: StreamedEvent): void {
    if (event === 'typing' && data.isAgent && data.active !== this.#typing) {
      this.#typing = data.active === true;
      if (this.#typing) this.#line('', 'the clinic is typing');
    }
    if (event === 'reply.delta') this.#piece(data.text ?? '', data.index === 0);
    if (event === 'reply.dropped') this.#line('', 'draft dropped');
    if (data.chat?.currentTaskName !== undefined) this.#enter(data.chat.currentTaskName);
  }

  #enter(task: string): void {
    if (task === this.#task) return;
    this.#task = task;
    this.#line('', `task: ${task}`);
  }

  #piece(text: string, begins: boolean): void {
    if (begins) this.#endLine();
    process.stdout.write(begins ? `clinic  →  ${text}` : text);
    this.#writing = true;
  }

  /** @returns whether the message is new */
  showMessage({ id, role, content, taskId = 0 }: Message): boolean {
    if (this.#shown.has(id)) return false;
    this.#shown.add(id);
    if (content === null) return true;
    // The reply was already printed word by word.
    const isPrinted = this.#writing && role === 'assistant';
    this.#endLine();
    if (!isPrinted) this.#enter(this.#taskNames.get(taskId) ?? this.#task);
    if (!isPrinted) this.#line(`${role === 'assistant' ? 'clinic  →' : 'member  ←'}  ${content}`);
    if (role === 'assistant') this.#typing = false;
    return true;
  }

  #line(text: string, beside = ''): void {
    this.#endLine();
    printLine(text, beside);
  }

  #endLine(): void {
    if (this.#writing) process.stdout.write('\n');
    this.#writing = false;
  }
}
