import { isObject, type JsonObject } from '../../support/read-json.js';
import type { Message, ToolCall } from '../protocol.js';
import { parsed } from './results.js';
import { spoken } from './words.js';

/** The state of a conversation, as far as the simulated model needs it. */
export interface Turn {
  task: Task | undefined;
  /** The assistant's last message; consecutive messages count as one. */
  lastSaid: string | undefined;
  said: string[];
  /** The person's messages since then that no tool call has used yet. */
  heard: string[];
  calls: ToolCall[];
  /** The tool calls since the assistant's last message. */
  done: ToolCall[];
  /** The last call, if the assistant has not spoken since, or since a colleague has approved it. */
  called: Called | undefined;
  reminder: string | undefined;
  /** A transfer that has failed since the assistant's last message, in words for the person. */
  returned: string | undefined;
}

export interface Called extends ToolCall {
  /** The person's messages that led to it. */
  heard: string[];
  result: JsonObject;
  isApproved: boolean;
}

export interface Task {
  name: string;
  prompt: string;
}

export function readTurn(messages: Message[]): Turn {
  const lastWords = messages.findLastIndex(isWords);
  const lastResult = messages.findLastIndex((message) => message.role === 'tool');
  const sinceWords = messages.slice(lastWords + 1);
  return {
    task: readTask(messages),
    lastSaid: lastWords === -1 ? undefined : lastRun(messages.slice(0, lastWords + 1)),
    said: textsOf(messages.filter(isWords)),
    // Messages before a tool's result have been used by that call; using them again would loop.
    heard: heardIn(messages.slice(Math.max(lastWords, lastResult) + 1)),
    calls: readCalls(messages),
    done: readCalls(sinceWords),
    called: readCalled(messages, lastWords + 1),
    reminder: sinceWords
      .map((message) => /^A follow-up is due: ([\s\S]+)$/.exec(noteIn(message) ?? '')?.[1])
      .findLast((text) => text !== undefined),
    returned: sinceWords
      .map((message) => readReturn(noteIn(message) ?? ''))
      .findLast((text) => text !== undefined),
  };
}

/** What a note says of a transfer that has failed, for the person. */
function readReturn(note: string): string | undefined {
  const found = /^The transfer to (\S+) did not come about \(([\w-]+)\)/.exec(note);
  if (found === null) return undefined;
  const [, target = '', why = ''] = found;
  return why === 'busy' ? `The ${spoken(target)} is busy.` : `The ${spoken(target)} does not answer.`;
}

/** The section under the last `## Current task: <name>` of the system messages, up to the next heading. */
function readTask(messages: Message[]): Task | undefined {
  const heading = /^## Current task:[ \t]*(.*)$/m;
  const text = messages.findLast((message) => message.role === 'system' && heading.test(message.text))?.text;
  const found = text === undefined ? null : heading.exec(text);
  if (text === undefined || found === null) return undefined;
  const rest = text.slice(found.index + found[0].length);
  const prompt = rest.split(/^## /m)[0] ?? '';
  return { name: (found[1] ?? '').trim(), prompt: prompt.trim() };
}

/** The text that a note of the service quotes. */
function noteIn(message: Message): string | undefined {
  const quoted =
    message.role === 'user' ? /^\[Note of the service.*: ("(?:[^"\\]|\\.)*")\]$/.exec(message.text) : null;
  return quoted?.[1] === undefined ? undefined : (JSON.parse(quoted[1]) as string);
}

/** The last call since a place, or that which a note since then says to be approved. */
function readCalled(messages: Message[], since: number): Called | undefined {
  const approved = messages
    .slice(since)
    .map((message) => /^The call of the tool (\S+) was approved/.exec(noteIn(message) ?? '')?.[1])
    .findLast((name) => name !== undefined);
  const isApproved = approved !== undefined;
  const place = messages.findLastIndex((message, index) =>
    readCalls([message]).some(({ name }) => (isApproved ? name === approved : index >= since)),
  );
  const last = readCalls(messages.slice(place, place + 1)).at(-1);
  if (place === -1 || last === undefined) return undefined;
  const answered = messages.find((message) => message.role === 'tool' && message.toolCallId === last.id);
  const result = parsed(answered?.text ?? '');
  const before = messages.slice(0, place);
  const heard = heardIn(
    before.slice(before.findLastIndex(({ role }) => role === 'assistant' || role === 'tool') + 1),
  );
  return { ...last, heard, result: isObject(result) ? result : {}, isApproved };
}

const noteOfColleague = /^\[Note of a colleague.*"\]$/;

/** The person's own words: a note is never repeated to the person. */
function heardIn(messages: Message[]): string[] {
  return textsOf(
    messages.filter(
      (message) =>
        message.role === 'user' && noteIn(message) === undefined && !noteOfColleague.test(message.text),
    ),
  );
}

function isWords(message: Message): boolean {
  return message.role === 'assistant' && message.text.trim() !== '';
}

function lastRun(messages: Message[]): string {
  const before = messages.findLastIndex((message) => !isWords(message));
  return textsOf(messages.slice(before + 1)).join(' ');
}

function textsOf(messages: Message[]): string[] {
  return messages.map(({ text }) => text.trim()).filter((text) => text !== '');
}

function readCalls(messages: Message[]): ToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
}
