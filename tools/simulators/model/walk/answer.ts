import { isObject } from '../../support/read-json.js';
import { type Answer, type CompletionRequest, call, say, type Tool } from '../protocol.js';
import { coerce } from './coerce.js';
import { askedField, askFor, type Field, missingFields } from './fields.js';
import { chooseOption, listOptions, type Option, readOptions } from './options.js';
import { passageFor } from './passages.js';
import { readTurn, type Task, type Turn } from './read-turn.js';
import { hasAsked, questionOf, quotedSentence } from './speak.js';
import { summarize } from './summarize.js';
import { transfer } from './transfers.js';
import { words } from './words.js';

const PERSON = /\b(human|operator|representative|person|someone|somebody|staff|agent)\b/i;
const WISH = /\b(speak|talk|chat|connect|transfer|pass|get|give|call|want|need|prefer|like)\b/i;

/**
 * Follows a definition literally: asks the question of the current task, reads the person's answer and calls the
 * matching tool. Each message of the person leads to at most one tool call, so a turn ends whatever the tools return.
 */
export function answer({ messages, tools }: CompletionRequest): Answer {
  const summary = tools.find(({ name }) => name === 'write_summary');
  if (summary !== undefined) return summarize(messages, summary);
  const turn = readTurn(messages);
  const { content, toolCalls } = next(turn, tools);
  const isBack = turn.returned !== undefined && content !== null;
  return { content: isBack ? `${turn.returned} ${content}` : content, toolCalls };
}

function next(turn: Turn, tools: Tool[]): Answer {
  const offered = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);

  const lastHeard = turn.heard.at(-1);
  const transferred = transfer(turn, offered('forward_call'));
  if (transferred !== undefined) return transferred;
  if (lastHeard !== undefined && asksForPerson(lastHeard) && offered('handoff')) {
    return call('handoff', { reason: 'The member asked for a person.' });
  }
  if (turn.done.at(-1)?.name === 'handoff') return say('A colleague will answer you here.');

  const selectTask = offered('select_task');
  const options = selectTask ? readOptions(selectTask) : [];
  if (turn.done.at(-1)?.name === 'search_files') {
    return say(`${passageFor(turn)} ${questionOf(turn.task, options)}`);
  }
  if (lastHeard?.includes('?') && offered('search_files')) {
    return call('search_files', { query: lastHeard.slice(0, 200) });
  }

  const saveData = offered('save_data');
  const collected = saveData && collect(turn, saveData);
  if (collected !== undefined) return collected;

  const answered = lastHeard !== undefined && hasAsked(turn);
  if (answered && options.length > 0) return choose(turn, options);
  if (answered && offered('complete_task')) return call('complete_task', {});

  const walks = options.length > 0 || offered('complete_task') || quotedSentence(turn.task?.prompt ?? '');
  if (lastHeard !== undefined && !walks) return say(acknowledge(turn.heard));
  return directedCall(turn, tools) ?? say(withReminder(turn, questionOf(turn.task, options)));
}

/** Without a task, the reply repeats the messages that were read, so that a test can see that none was missed. */
function acknowledge(heard: string[]): string {
  return `You wrote: ${heard.join(' / ')}. How can I help you?`;
}

function withReminder({ reminder }: Turn, question: string): string {
  return reminder === undefined ? question : `${quotedSentence(reminder) ?? reminder} ${question}`;
}

function choose(turn: Turn, options: Option[]): Answer {
  const chosen = chooseOption(turn.heard.join('\n'), options);
  if (chosen !== undefined) return call('select_task', { task: chosen.uuid });
  const question = questionOf(turn.task, []);
  return say(`I did not get that. ${question} You can choose: ${listOptions(options)}.`);
}

/** Whether a message requests a human: as an explicit wish, or as little more than the word itself. */
function asksForPerson(text: string): boolean {
  if (!PERSON.test(text)) return false;
  return WISH.test(text) || (words(text).length <= 3 && /\b(human|operator|representative)\b/i.test(text));
}

/** The next step of a collect task: saves an answer or asks for a missing field. Undefined if none is missing. */
function collect(turn: Turn, tool: Tool): Answer | undefined {
  const missing = missingFields(tool);
  const [first] = missing;
  if (first === undefined) return undefined;

  const asked = turn.lastSaid === undefined ? undefined : askedField(turn.lastSaid, missing);
  if (asked !== undefined && turn.heard.length > 0) {
    // Of several messages, the last that is a valid value counts.
    const values = turn.heard.map((text) => coerce(text, asked.schema));
    const value = values.findLast((one) => one !== undefined);
    return value === undefined ? askAgain(asked) : call(tool.name, { [asked.slug]: value });
  }
  if (asked !== undefined && turn.done.some(({ name }) => name === tool.name)) return askAgain(asked);
  return say(withOpening(turn, askFor(first)));
}

function askAgain(field: Field): Answer {
  return say(`I could not use that. ${askFor(field)}`);
}

/** Puts the quoted sentence of the prompt before the first question. */
function withOpening(turn: Turn, question: string): string {
  const opening = turn.task && quotedSentence(turn.task.prompt);
  const said = opening === undefined || turn.said.some((text) => text.includes(opening));
  return said ? question : `${opening} ${question}`;
}

type Reader = (task: Task, tool: Tool) => Record<string, unknown> | undefined;

const DIRECTED: Record<string, Reader> = {
  send_sms: ({ prompt }) => {
    const text = quotedAfter(prompt, 'send_sms');
    return text === undefined ? undefined : { text };
  },
  schedule_follow_up: ({ prompt, name }) => {
    const after = prompt.match(/\bP(?=\d|T\d)(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?\b/)?.[0];
    const instructions = quotedAfter(prompt, 'schedule_follow_up') ?? `Follow up on: ${name}`;
    return after === undefined ? undefined : { after, instructions };
  },
  suggest_answers: ({ prompt }) => {
    const answers = quotedAfter(prompt, 'suggest_answers')?.split(' / ');
    return answers === undefined ? undefined : { answers };
  },
  read_data: (_, tool) => firstChoices(tool),
};

/** The call that the prompt requests by the tool's name: before the task's question, and once, even if it fails. */
function directedCall(turn: Turn, tools: Tool[]): Answer | undefined {
  const { task } = turn;
  if (task === undefined || hasAsked(turn)) return undefined;
  for (const tool of tools) {
    const readArguments = DIRECTED[tool.name];
    if (readArguments === undefined || !new RegExp(`\\b${tool.name}\\b`).test(task.prompt)) continue;
    const args = readArguments(task, tool);
    const text = JSON.stringify(args);
    const made = turn.calls.some((done) => done.name === tool.name && done.arguments === text);
    if (args !== undefined && !made) return call(tool.name, args);
  }
  return undefined;
}

function firstChoices({ parameters }: Tool): Record<string, unknown> {
  const properties = isObject(parameters.properties) ? Object.entries(parameters.properties) : [];
  return Object.fromEntries(
    properties.flatMap(([name, schema]) =>
      isObject(schema) && Array.isArray(schema.enum) ? [[name, schema.enum[0]]] : [],
    ),
  );
}

function quotedAfter(prompt: string, marker: string): string | undefined {
  const found = prompt.slice(prompt.indexOf(marker)).match(/"([^"\n]+)"|“([^”\n]+)”/);
  return found?.[1] ?? found?.[2];
}

/** Schedules a follow-up at the beginning of a turn, if the tool is offered; the next answer is the usual one. */
export function scheduleAnother({ messages, tools }: CompletionRequest): Answer | undefined {
  const mayFollowUp = tools.some(({ name }) => name === 'schedule_follow_up');
  if (!mayFollowUp || messages.at(-1)?.role === 'tool') return undefined;
  return call('schedule_follow_up', { after: 'PT1S', instructions: 'Ask "Are you still there?"' });
}
