import { isObject, type JsonObject } from '../../support/read-json.js';
import { type Answer, call, type Tool } from '../protocol.js';
import { argumentsFor, namedArguments, type Said, saidBehind } from './arguments.js';
import { missingFields, propertiesOf } from './fields.js';
import { passageFor } from './passages.js';
import type { Task, Turn } from './read-turn.js';
import { inWords, parsed } from './results.js';
import { quotedSentence } from './speak.js';
import { sharedWords, spoken, tellingWords, words } from './words.js';

/** What makes the model call a tool by itself, with which arguments, and what it says of the result. */
interface Row {
  /** What a member writes, so that the tool is called. */
  example: string;
  /** What the member has said, if it asks for the tool. */
  asks(text: string, tool: string): Said | undefined;
  /** The arguments; by default those that the schema asks for. Undefined: it is not called. */
  args?(said: Said, tool: Tool, task: Task | undefined): JsonObject | undefined;
  /** The arguments where the prompt names the tool, which is then called on entering the task. */
  directed?(task: Task, tool: Tool): JsonObject | undefined;
  /** What is said of the result instead of its words. */
  says?(turn: Turn, args: JsonObject): string;
  /** Whether the question of the task is not asked again behind that. */
  isLast?: boolean;
}

const behind =
  (asking: RegExp) =>
  (text: string): Said | undefined => {
    const found = asking.exec(text);
    return found === null ? undefined : saidBehind(text, found.index + found[0].length);
  };

const whole = (text: string): Said => ({ text, rest: text });

/** A tool that its author, or another server, has named: all words of the name are said. */
const byName: Omit<Row, 'example'> = {
  asks(text, tool) {
    const name = tool.replace(/^.*?__/, '').replace(/_[0-9a-f]{8}$/, '');
    const wanted = words(name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
    const ends = wanted.map((word) => {
      const found = new RegExp(`\\b${word.replace(/s$/, '')}s?\\b`, 'i').exec(text);
      return found === null ? -1 : found.index + found[0].length;
    });
    return ends.includes(-1) ? undefined : saidBehind(text, Math.max(...ends));
  },
};

const PERSON = /\b(human|operator|representative|person|someone|somebody|staff|agent)\b/i;
const WISH = /\b(speak|talk|chat|connect|transfer|pass|get|give|call|want|need|prefer|like)\b/i;

/** Whether a message requests a human: as an explicit wish, or as little more than the word itself. */
function asksForPerson(text: string): boolean {
  if (!PERSON.test(text)) return false;
  return WISH.test(text) || (words(text).length <= 3 && /\b(human|operator|representative)\b/i.test(text));
}

/** By kind of ability; the first row that is asked for counts. */
export const abilities: Record<string, Row> = {
  forward_call: {
    example: 'Please connect me with the front desk',
    asks: (text) => (/\b(connect|transfer|put|speak|talk)\b/i.test(text) ? whole(text) : undefined),
    args({ text }, { parameters }) {
      const { enum: targets } = propertiesOf(parameters).target ?? {};
      const names = Array.isArray(targets) ? targets.map(String) : [];
      const target = names.find((name) => text.toLowerCase().includes(spoken(name).toLowerCase()));
      return target === undefined ? undefined : { target, facts: `The caller said: ${text}` };
    },
    says: ({ called }, { target }) =>
      called?.result.ok === true
        ? `I connect you with the ${spoken(String(target))}.`
        : 'I cannot connect you now.',
    isLast: true,
  },
  handoff: {
    example: 'I want to talk to a person',
    asks: (text) => (asksForPerson(text) ? whole(text) : undefined),
    args: () => ({ reason: 'The member asked for a person.' }),
    says: () => 'A colleague will answer you here.',
    isLast: true,
  },
  http_request: { example: 'Please find times on 2030-01-08', ...byName },
  mcp_tools: { example: 'Please find order A-17', ...byName },
  send_sms: {
    example: 'Send me an SMS: the address',
    asks: behind(/\b(?:(?:send|write)\b.*\b(?:sms|text message)|text me)\b/i),
    directed: ({ prompt }) => textOf(quotedAfter(prompt, 'send_sms')),
  },
  send_email: {
    example: 'Send me an email about the visit',
    asks: behind(/\b(?:(?:send|write)\b.*\be-?mail|e-?mail me)\b/i),
  },
  send_files: {
    example: 'Send me the file on aftercare',
    asks: behind(/\bsend\b/i),
    args: filesFor,
  },
  schedule_follow_up: {
    example: 'Remind me in 2 hours to drink water',
    asks: behind(/\b(?:remind me|follow up|write to me again)\b/i),
    args: ({ text }) => ({
      after: durationIn(text),
      instructions: `Say "You asked: ${text.replaceAll('"', '')}"`,
    }),
    directed({ prompt, name }) {
      const after = prompt.match(DURATION)?.[0];
      const instructions = quotedAfter(prompt, 'schedule_follow_up') ?? `Follow up on: ${name}`;
      return after === undefined ? undefined : { after, instructions };
    },
  },
  place_call: { example: 'Please call me', asks: behind(/\b(?:call|phone|ring) me\b/i) },
  end_call: { example: 'Please hang up', asks: behind(/\b(?:hang up|end (?:the |this )?call|goodbye)\b/i) },
  conclude: { example: 'That is all, goodbye', asks: behind(/\b(?:conclude|that is all|goodbye)\b/i) },
  read_data: {
    example: 'Read my data',
    asks: behind(/\b(?:read|show|tell)\b.*\b(?:data|records?|answers)\b/i),
    directed: (_, { parameters }) => argumentsFor(parameters, { text: '', rest: '' }),
  },
  save_data: {
    example: 'My reason is knee pain',
    asks: whole,
    args({ text }, tool) {
      const args = missingFields(tool).length > 0 ? {} : namedArguments(tool.parameters, text);
      return Object.keys(args).length === 0 ? undefined : args;
    },
    says: () => '',
  },
  suggest_answers: {
    example: 'What can I answer?',
    asks: (text) => (/\bwhat can I answer\b/i.test(text) ? whole(text) : undefined),
    args: (_, __, task) => answersOf(task?.prompt ?? '') ?? { answers: ['Yes', 'No'] },
    directed: ({ prompt }) => answersOf(prompt),
    says: () => '',
  },
  search_files: {
    example: 'When do you open?',
    asks: (text) => (text.includes('?') ? whole(text) : undefined),
    args: ({ text }) => ({ query: text.slice(0, 200) }),
    says: passageFor,
  },
};

/** Tools of the task itself, which the walk calls. */
const ofTasks = ['select_task', 'complete_task', 'prove_identity', 'opt_out'];
const kinds = Object.keys(abilities);

function rowOf(tool: string): Row | undefined {
  return ofTasks.includes(tool) ? undefined : (abilities[tool] ?? abilities.http_request);
}

/** The call that the last message asks for. */
export function askedCall({ heard, task }: Turn, tools: readonly Tool[]): Answer | undefined {
  const text = heard.at(-1);
  if (text === undefined) return undefined;
  const placeOf = ({ name }: Tool) => kinds.indexOf(name in abilities ? name : 'http_request');
  for (const tool of tools.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const row = rowOf(tool.name);
    const said = row?.asks(text, tool.name);
    if (row === undefined || said === undefined) continue;
    const args = row.args === undefined ? argumentsFor(tool.parameters, said) : row.args(said, tool, task);
    if (args !== undefined) return call(tool.name, args);
  }
  return undefined;
}

/** The call that the prompt requests by the tool's name: once, even if it fails. */
export function directedCall({ task, calls }: Turn, tools: readonly Tool[]): Answer | undefined {
  if (task === undefined) return undefined;
  for (const tool of tools) {
    if (!new RegExp(`\\b${tool.name}\\b`).test(task.prompt)) continue;
    const args = rowOf(tool.name)?.directed?.(task, tool);
    const text = JSON.stringify(args);
    const made = calls.some((done) => done.name === tool.name && done.arguments === text);
    if (args !== undefined && !made) return call(tool.name, args);
  }
  return undefined;
}

/** What is said of the result of a call that the person has asked for, or a colleague has approved. */
export function outcomeOf(turn: Turn): { text: string; isLast: boolean } | undefined {
  const { called } = turn;
  const row = called && rowOf(called.name);
  if (called === undefined || row === undefined) return undefined;
  const isAsked = called.heard.some((text) => row.asks(text, called.name) !== undefined);
  if (!isAsked && !called.isApproved) return undefined;
  const args = parsed(called.arguments);
  const text = row.says?.(turn, isObject(args) ? args : {}) ?? inWords(called.name, called.result);
  return text === '' ? undefined : { text, isLast: row.isLast === true };
}

/** Those of the listed files that the words name, else those whose numbers they have, else the first. */
function filesFor({ text, rest }: Said, { description }: Tool): JsonObject | undefined {
  const listed = [...description.matchAll(/^(\d+): (".*") \(/gm)].map(([, id, title = '']) => ({
    id: Number(id),
    shared: sharedWords(title, tellingWords(rest)),
  }));
  const named = listed.filter(({ shared }) => shared > 0).map(({ id }) => id);
  const numbers = (rest.match(/\b\d+\b/g) ?? []).map(Number);
  const first = /\bfiles?\b/i.test(text) ? listed.slice(0, 1).map(({ id }) => id) : [];
  const files = [named, numbers, first].find((ids) => ids.length > 0);
  return files && { files: files.slice(0, 10), text: 'Here you are.' };
}

const DURATION = /\bP(?=\d|T\d)(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?\b/;

/** How long from now, such as `in 2 hours` or `PT2H`; a day where nothing is said. */
function durationIn(text: string): string {
  const written = DURATION.exec(text)?.[0];
  if (written !== undefined) return written;
  const found = /(\d+) (second|minute|hour|day|week)/i.exec(text);
  const unit = found?.[2]?.charAt(0).toUpperCase();
  if (found === null || unit === undefined) return 'P1D';
  return `P${'SMH'.includes(unit) ? 'T' : ''}${found[1]}${unit}`;
}

function answersOf(prompt: string): JsonObject | undefined {
  const quoted = quotedAfter(prompt, 'suggest_answers')?.split(' / ');
  return quoted && { answers: quoted };
}

function textOf(text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : { text };
}

function quotedAfter(prompt: string, marker: string): string | undefined {
  return prompt.includes(marker) ? quotedSentence(prompt.slice(prompt.indexOf(marker))) : undefined;
}
