import { type Assignment, taskNames } from './assignment.js';
import type { Message, StreamedEvent } from './chat-events.js';
import { eraseDraft, printLine, showDraft } from './transcript.js';

/** Prints what the member sees: messages, the draft of a reply, typing notices and the current task. */
export class Screen {
  readonly #taskNames: ReadonlyMap<number, string>;
  readonly #shown = new Set<string>();
  #draft = '';
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
      if (this.#typing) printLine('', 'the clinic is typing');
    }
    if (event === 'reply.delta') this.#write(data.text ?? '', data.index === 0);
    if (event === 'reply.dropped') printLine('', 'draft dropped');
    if (data.chat?.currentTaskName !== undefined) this.#enter(data.chat.currentTaskName);
  }

  #enter(task: string): void {
    if (task === this.#task) return;
    this.#task = task;
    printLine('', `task: ${task}`);
  }

  /** A draft may come ahead of messages that were stored before it, so it never stands for a message. */
  #write(text: string, begins: boolean): void {
    this.#draft = begins ? text : this.#draft + text;
    showDraft(`clinic  →  ${this.#draft}`);
  }

  /** @returns whether the message is new */
  showMessage({ id, role, content, taskId = 0 }: Message): boolean {
    eraseDraft();
    if (this.#shown.has(id)) return false;
    this.#shown.add(id);
    if (content === null) return true;
    this.#enter(this.#taskNames.get(taskId) ?? this.#task);
    printLine(`${role === 'assistant' ? 'clinic  →' : 'member  ←'}  ${content}`);
    if (role === 'assistant') this.#typing = false;
    return true;
  }
}
