import { isObject } from '../../support/read-json.js';
import { type Answer, call, type Tool } from '../protocol.js';
import type { Task, Turn } from './read-turn.js';
import { hasAsked } from './speak.js';

type Reader = (task: Task, tool: Tool) => Record<string, unknown> | undefined;

/** Reads the arguments of a tool from a prompt that names the tool. */
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
  read_data: (_, tool) => firstChoices(tool),
};

/** The call that the prompt requests by the tool's name: before the task's question, and once, even if it fails. */
export function directedCall(turn: Turn, tools: Tool[]): Answer | undefined {
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

/** The first value of every parameter that has a list of values. */
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
