import { DemoError } from '../api-client.js';
import { answerTo, printLine } from '../transcript.js';
import type { McpClient, ToolAnswer } from './mcp-client.js';

interface Task {
  id: number;
  taskName: string;
  children?: Task[];
}

interface Choice {
  assignmentTaskId: number;
  choicePrompt?: string;
}

interface Message {
  id: string;
  role: string;
  content: string | null;
}

const firstTask = 'Welcome';
const agrees = /^yes/i;

/**
 * Stands in for the model of an AI client at the reception of the clinic: it decides what to call next by the answers of
 * the tools alone.
 */
export class Reception {
  #chatId = 0;
  #assignmentId = 0;
  #task = '';
  readonly #read = new Set<string>();
  #jumped = false;

  constructor(readonly client: Pick<McpClient, 'call'>) {}

  /** Finds the workflow, makes a member and begins the chat in which the member goes through it. */
  async begin(workflowName: string, keys: { member: string; chat: string }): Promise<void> {
    this.#think('Who am I here, and what may I do?');
    const own = await this.#call('get_own_member', {}, ({ member, permissions }) => {
      return `${member.name}, who may do ${permissions.length} things with this token`;
    });
    if (!own.permissions.includes('members:write')) throw new DemoError('The person may not create members.');

    this.#think('Which workflow prepares a first visit?');
    const workflows = await this.#call('list_workflows', { search: workflowName }, ({ items }) =>
      items
        .map(({ id, name, description }: Record<string, unknown>) => `${id} “${name}”: ${description}`)
        .join('; '),
    );
    const workflowId = workflows.items[0]?.id;
    if (workflowId === undefined) throw new DemoError(`There is no workflow “${workflowName}”.`);

    const member = { name: 'Robin Sample', idempotencyKey: keys.member };
    const { id: memberId } = await this.#call('create_member', member, ({ id }) => `member ${id}`);
    const chat = { channel: 'web-chat', workflowId, memberId, idempotencyKey: keys.chat };
    const made = await this.#call('create_chat', chat, ({ id, assignmentId }) => {
      return `chat ${id} with assignment ${assignmentId}`;
    });
    this.#chatId = made.id;
    this.#assignmentId = made.assignmentId;
    const again = await this.client.call('create_chat', chat);
    printLine('  called again with the same idempotencyKey', `the same chat: ${again.data?.id}`);
  }

  /** Looks where the assignment is, and relays the answer of the member if the clinic asks. @returns whether it has ended */
  async goOn(): Promise<boolean> {
    const current = await this.client.call('get_current_task', { assignment_id: this.#assignmentId });
    if (!current.isError && current.data.taskName !== this.#task) {
      this.#task = current.data.taskName;
      printLine('', `get_current_task: ${this.#task}, ${current.data.state}`);
    }
    if (this.#task === 'Your details' && !this.#jumped) {
      this.#jumped = true;
      await this.#tryToJump();
    }
    await this.#readMessages();
    const { data } = await this.client.call('get_assignment', { assignment_id: this.#assignmentId });
    return data.status !== 'active';
  }

  /** Prints how it ended. @returns the status of the assignment */
  async tellResult(): Promise<string> {
    await this.#readMessages();
    this.#think('What came of it, what is it about, and what did it cost?');
    const place = { assignment_id: this.#assignmentId };
    const ended = await this.#call('get_assignment', place, ({ status, outcome, dataRecords }) => {
      const records = dataRecords.map(({ fieldValues }: Record<string, unknown>) =>
        JSON.stringify(fieldValues),
      );
      return [`${status}: ${outcome}`, ...records].join('; ');
    });
    await this.#call('search_files', { q: 'fever or bleeding', words: 'any', limit: 1 }, ({ items }) => {
      const [found] = items;
      const line = found?.text.split('\n').find((one: string) => one.includes('fever'));
      return found === undefined ? 'no passage' : `“${found.file.title}”: ${line}`;
    });
    await this.#call(
      'summarize_chat',
      { chat_id: this.#chatId },
      ({ title, summary }) => `${title}: ${summary}`,
    );
    await this.#call('get_chat_token_usage', { chat_id: this.#chatId }, ({ totalTokens, credits }) => {
      return `${totalTokens} tokens, ${credits} credits`;
    });
    return ended.status;
  }

  async #readMessages(): Promise<void> {
    const { data } = await this.client.call('list_chat_messages', { chat_id: this.#chatId, limit: 10 });
    const news = (data.items as Message[]).filter(({ id }) => !this.#read.has(id)).reverse();
    for (const { id, role, content } of news) {
      this.#read.add(id);
      if (role !== 'assistant' || content === null) continue;
      printLine(`clinic  →  ${content}`);
      const answer = answerTo(content);
      if (answer === undefined) continue;
      const choice = this.#task === firstTask && agrees.test(answer) ? await this.#findChoice() : undefined;
      printLine(`member  ←  ${answer}`, choice === undefined ? 'send_chat_message' : 'select_task');
      if (choice === undefined) {
        await this.#must('send_chat_message', { chat_id: this.#chatId, content: answer });
      } else {
        const place = { assignment_id: this.#assignmentId, assignment_task_id: choice.assignmentTaskId };
        await this.#must('select_task', place);
      }
    }
  }

  /** The task that the member has chosen by agreeing, if the current task offers one. */
  async #findChoice(): Promise<Choice | undefined> {
    const { data } = await this.#must('get_current_task', { assignment_id: this.#assignmentId });
    return (data.childTasks as Choice[]).find(({ choicePrompt = '' }) => agrees.test(choicePrompt));
  }

  /** Shows that a guard applies to AI clients too. */
  async #tryToJump(): Promise<void> {
    const { data } = await this.client.call('get_assignment', { assignment_id: this.#assignmentId });
    const done = flatten(data.rootTask).find(({ taskName }) => taskName === 'Done');
    const jump = { assignment_id: this.#assignmentId, assignment_task_id: done?.id };
    const answer = await this.client.call('select_task', jump);
    if (!answer.isError) throw new DemoError('A guard let an AI client jump to the end.');
    printLine('client    tries to jump to “Done” by select_task', 'refused');
    printLine(`             ${(JSON.parse(answer.text) as { detail: string }).detail}`);
  }

  #think(thought: string): void {
    console.log(`\n  (${thought})`);
  }

  /** Calls a tool that has to succeed, and prints the call with what matters of its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of the answers
  async #call(name: string, args: object, shown: (data: any) => string): Promise<any> {
    const { data } = await this.#must(name, args);
    printLine(`→ ${name}  ${shownArguments(args)}`);
    printLine(`←            ${shown(data)}`);
    return data;
  }

  async #must(name: string, args: object): Promise<ToolAnswer> {
    const answer = await this.client.call(name, args);
    if (answer.isError) throw new DemoError(`${name} was refused: ${answer.text}`);
    return answer;
  }
}

function flatten(task: Task): Task[] {
  return [task, ...(task.children ?? []).flatMap(flatten)];
}

/** `chat_id: 7, content: "Yes"`; of keys only the beginning. */
function shownArguments(args: object): string {
  return Object.entries(args)
    .map(
      ([name, value]) =>
        `${name}: ${name === 'idempotencyKey' ? `${value.slice(0, 8)}…` : JSON.stringify(value)}`,
    )
    .join(', ');
}
