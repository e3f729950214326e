import { randomUUID } from 'node:crypto';
import { oneParagraph } from '../../support/sites/add-site.js';
import { type Answer, askUntilAnswered, type Repeating, type Request } from './client.js';
import { mailIn, textIn } from './inbound.js';
import type { Entry, Ledger } from './ledger.js';
import type { Operation } from './operations.js';
import { phonePlans } from './phones.js';
import type { Town } from './town.js';

/** Does operations as the people of a town do, by HTTP, and writes down what they were told. */
export class Performer {
  readonly #town: Town;
  readonly #seed: number;
  readonly #ledger: Ledger;
  readonly #made = new Map<number, { chatId?: number; assignmentId?: number; fileId?: number }>();

  constructor(town: Town, seed: number, ledger: Ledger) {
    this.#town = town;
    this.#seed = seed;
    this.#ledger = ledger;
  }

  async perform(operation: Operation): Promise<void> {
    const entry = this.#ledger.open(operation);
    Object.assign(entry, this.#whom(operation));
    const maker = 'chat' in operation ? operation.chat : 'file' in operation ? operation.file : undefined;
    if (maker !== undefined) {
      const made = this.#made.get(maker);
      if (made === undefined) entry.skipped = `operation ${maker} made nothing`;
      Object.assign(entry, made);
    }
    if (entry.skipped === undefined) await this.#do(operation, entry);
  }

  async #do(operation: Operation, entry: Entry): Promise<void> {
    switch (operation.kind) {
      case 'open_web_chat':
      case 'open_sms_chat':
        return this.#open(operation, entry);
      case 'open_email_chat':
        return this.#openByEmail(operation, entry);
      case 'begin_assignment': {
        const body = { workflowId: this.#town.definitionId, memberId: entry.memberId };
        const answer = await this.#ask(entry, 'POST', '/assignments', () => body);
        const made = acceptedBody<{ id: number }>(answer);
        if (made !== undefined) this.#made.set(operation.index, { assignmentId: made.id });
        return;
      }
      case 'write': {
        const body = (marker: string) => ({ content: `${marker} ${operation.says}` });
        const key = this.#person(operation)?.apiKey;
        return this.#tell(entry, 'POST', `/chats/${entry.chatId}/messages`, body, key);
      }
      case 'take_over': {
        const body = (marker: string) => ({ message: `${marker} a colleague writes` });
        return this.#tell(entry, 'POST', `/chats/${entry.chatId}/send-assistant-message`, body);
      }
      case 'speak_as_assistant': {
        const body = (marker: string) => ({
          message: `${marker} a colleague writes`,
          tool_calls: [
            {
              type: 'function',
              function: { name: 'handoff', arguments: JSON.stringify({ reason: marker }) },
            },
          ],
        });
        return this.#tell(entry, 'POST', `/chats/${entry.chatId}/send-assistant-message`, body);
      }
      case 'call':
        return this.#call(operation, entry);
      case 'rate':
        return this.#rate(operation.rating, entry);
      case 'summarize':
        return this.#tell(entry, 'POST', `/chats/${entry.chatId}/summarize`, () => ({}));
      case 'email':
        return mailIn(this.#town, operation, entry, this.#person(operation)?.row.email ?? '');
      case 'text':
      case 'stop':
      case 'start':
        return textIn(this.#town, operation, entry);
      case 'pause':
      case 'resume': {
        const body = { paused: operation.kind === 'pause' };
        return this.#tell(entry, 'PUT', `/chats/${entry.chatId}`, () => body);
      }
      case 'select':
        return this.#select(operation.room, entry);
      case 'cancel': {
        const path = `/assignments/${entry.assignmentId}/cancel`;
        return this.#tell(entry, 'POST', path, (marker) => ({ reason: marker }));
      }
      case 'upload': {
        const answer = await this.#upload(operation, entry, '/files');
        const file = acceptedBody<{ id: number }>(answer);
        if (file !== undefined) {
          this.#made.set(operation.index, { fileId: file.id });
          entry.fileId = file.id;
        }
        return;
      }
      case 'upload_version': {
        await this.#upload(operation, entry, `/files/${entry.fileId}/versions`);
        return;
      }
      case 'delete_file': {
        await this.#ask(entry, 'DELETE', `/files/${entry.fileId}`);
        return;
      }
      case 'describe_member': {
        const path = `/members/${entry.memberId}`;
        return this.#tell(entry, 'PUT', path, (marker) => ({ description: marker }));
      }
      case 'publish':
        return this.#publish(entry);
      case 'publish_page':
        return this.#publishPage(operation.isScheduled, entry);
    }
  }

  async #open(operation: Operation & { kind: 'open_web_chat' | 'open_sms_chat' }, entry: Entry) {
    const { workspace, definitionId } = this.#town;
    const overSms = operation.kind === 'open_sms_chat';
    const answer = await this.#ask(entry, 'POST', '/chats', (marker) => ({
      channel: overSms ? 'phone-sms' : 'web-chat',
      memberId: entry.memberId,
      title: marker,
      ...(operation.guided ? { workflowId: definitionId } : {}),
      ...(overSms ? { phoneNumberId: workspace.phoneNumberId } : {}),
    }));
    this.#opened(operation, entry, answer);
  }

  /** A colleague opens a chat with an email. */
  async #openByEmail(operation: Operation, entry: Entry): Promise<void> {
    const answer = await this.#ask(entry, 'POST', '/chats', (marker) => ({
      channel: 'email',
      memberId: entry.memberId,
      inboxId: this.#town.inbox.id,
      // A colleague's first message is for chats without an agent.
      assistantEnabled: false,
      title: marker,
      initialMessage: `${marker} a colleague writes`,
    }));
    this.#opened(operation, entry, answer);
  }

  #opened(operation: Operation, entry: Entry, answer: Answer | undefined): void {
    const chat = acceptedBody<{ id: number; assignmentId: number | null }>(answer);
    if (chat === undefined) return;
    const { id: chatId, assignmentId } = chat;
    const made = { chatId, ...(assignmentId === null ? {} : { assignmentId }) };
    this.#made.set(operation.index, made);
    Object.assign(entry, made);
  }

  /** The same bytes under the same name each time, as a repetition has to have. */
  #upload(
    operation: Operation & { kind: 'upload' | 'upload_version' },
    entry: Entry,
    path: string,
  ): Promise<Answer | undefined> {
    const body = (marker: string): FormData => {
      const form = new FormData();
      const words = `${marker} in storm ${this.#seed}. `;
      const content = words.repeat(Math.ceil((operation.kilobytes * 1_024) / words.length));
      // What is large is a film: its kind is told by its bytes, and there is no text to read.
      const bytes = operation.kilobytes < 300 ? [content] : [beginningOfFilm, content];
      form.append('file', new Blob(bytes), filenameOf(marker));
      return form;
    };
    return this.#ask(entry, 'POST', path, body);
  }

  async #select(room: string, entry: Entry): Promise<void> {
    const path = `/assignments/${entry.assignmentId}`;
    // Looking first is not part of what is done: only what it finds is needed.
    const looked: Entry = { operation: entry.operation, attempts: [] };
    const found = await this.#ask(looked, 'GET', path);
    const { rootTask } = (found?.body ?? {}) as { rootTask?: TaskTree };
    const task = flatten(rootTask).find(({ taskName }) => taskName === room);
    if (task === undefined) {
      entry.skipped = `the assignment shows no task ${room}`;
      return;
    }
    await this.#ask(entry, 'PUT', `${path}/tasks/${task.id}/select`, undefined, 'another');
  }

  /** The member's phone takes the call as it is told now, whichever call it is. */
  async #call(operation: Operation & { kind: 'call' }, entry: Entry): Promise<void> {
    const { system, voiceNumberId } = this.#town;
    await system.carrier.calls.plan(entry.phone ?? '', phonePlans[operation.taken]);
    const body = () => ({ phoneNumberId: voiceNumberId, chatId: entry.chatId });
    await this.#tell(entry, 'POST', `/chats/${entry.chatId}/outbound-call`, body);
  }

  /** The newest message of the assistant; of a chat without any, a message that does not exist. */
  async #rate(rating: 0 | 1, entry: Entry): Promise<void> {
    const looked: Entry = { operation: entry.operation, attempts: [] };
    const path = `/chats/${entry.chatId}/messages`;
    const found = await this.#ask(looked, 'GET', `${path}?limit=100`);
    const messages = (found?.body ?? []) as { id: string; role: string }[];
    entry.messageUuid = messages.find(({ role }) => role === 'assistant')?.id ?? randomUUID();
    const body = (marker: string) => ({ rating, comment: marker });
    await this.#tell(entry, 'POST', `${path}/${entry.messageUuid}/rate`, body);
  }

  async #publish(entry: Entry): Promise<void> {
    const { definitionId } = this.#town;
    const collection = `/workflows/${definitionId}/revisions`;
    const latest = await this.#ask({ operation: entry.operation, attempts: [] }, 'GET', collection);
    const [newest] = (latest?.body as { items: { id: number }[] } | undefined)?.items ?? [];
    const created = await this.#ask(entry, 'POST', collection, (marker) => ({
      name: marker,
      fromRevisionId: newest?.id,
    }));
    const revision = acceptedBody<{ id: number }>(created);
    if (revision === undefined) return;
    const published: Entry = { operation: entry.operation, attempts: [] };
    const path = `${collection}/${revision.id}/publish`;
    const answer = await this.#ask(published, 'POST', path, () => ({}));
    if (answer === undefined || answer.status >= 300) entry.skipped = 'the draft was not published';
  }

  /** A scheduled page comes so late that every request for it is answered before; after the storm, the time is brought forward. */
  async #publishPage(isScheduled: boolean, entry: Entry): Promise<void> {
    const { siteId, id } = this.#town.page;
    const path = `/sites/${siteId}/pages/${id}`;
    const body = isScheduled ? { publishAt: new Date(Date.now() + scheduledInMs).toISOString() } : {};
    await this.#tell(entry, 'PUT', `${path}/documents/en-US`, (marker) => ({
      title: marker,
      contentBlocks: oneParagraph(marker),
    }));
    const published: Entry = { operation: entry.operation, attempts: [] };
    const answer = await this.#ask(published, 'POST', `${path}/publish`, () => body);
    if (answer === undefined || answer.status >= 300) entry.skipped = 'the page was not published';
  }

  /** Asks for what is the same when it is asked again, whatever the answer. */
  async #tell(
    entry: Entry,
    method: Request['method'],
    path: string,
    body: (marker: string) => object,
    apiKey?: string,
  ): Promise<void> {
    await this.#ask(entry, method, path, body, 'same', apiKey);
  }

  #ask(
    entry: Entry,
    method: Request['method'],
    path: string,
    body?: (marker: string) => object | FormData,
    repeating: Repeating = 'same',
    apiKey = this.#town.workspace.admin.apiKey,
  ): Promise<Answer | undefined> {
    const { apiUrl, workspace } = this.#town;
    return askUntilAnswered(
      entry,
      (marker) => {
        const sent = body?.(marker);
        const isForm = sent instanceof FormData;
        return {
          method,
          url: `${apiUrl}/api/v2${workspace.path(path)}`,
          headers: {
            Authorization: `Bearer ${apiKey}`,
            // A form says its own.
            ...(isForm ? {} : { 'Content-Type': 'application/json' }),
            ...(method === 'POST' ? { 'Idempotency-Key': `storm-${this.#seed}-${marker}` } : {}),
          },
          ...(sent === undefined ? {} : { body: isForm ? sent : JSON.stringify(sent) }),
        };
      },
      repeating,
    );
  }

  #person({ lane }: Operation) {
    return lane.startsWith('person-') ? this.#town.people[Number(lane.slice('person-'.length))] : undefined;
  }

  #whom(operation: Operation): Pick<Entry, 'memberId' | 'phone'> {
    const person = this.#person(operation);
    if (person !== undefined) return { memberId: person.memberId, phone: person.phone };
    const phone = this.#town.strangerPhones[Number(operation.lane.slice('stranger-'.length))];
    return phone === undefined ? {} : { phone };
  }
}

/** Longer than a request is tried for. */
const scheduledInMs = 150_000;
const beginningOfFilm = '\0\0\0\x18ftypisom\0\0\x02\0isommp41';

/** The name of the file that an attempt with this marker uploads. */
export function filenameOf(marker: string): string {
  return `${marker}.txt`;
}

interface TaskTree {
  id: number;
  taskName: string;
  children: TaskTree[];
}

function flatten(task: TaskTree | undefined): TaskTree[] {
  return task === undefined ? [] : [task, ...task.children.flatMap(flatten)];
}

function acceptedBody<T>(answer: Answer | undefined): T | undefined {
  return answer === undefined || answer.status >= 300 ? undefined : (answer.body as T);
}
