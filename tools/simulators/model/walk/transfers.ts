import { isObject } from '../../support/read-json.js';
import { type Answer, call, say, type Tool } from '../protocol.js';
import type { Turn } from './read-turn.js';

const wish = /\b(connect|transfer|put|speak|talk)\b/i;

/** Transfers the call, as a person asks for it who names one of the targets; then says so. */
export function transfer(turn: Turn, tool: Tool | undefined): Answer | undefined {
  const [last] = turn.done.slice(-1);
  if (last?.name === 'forward_call') {
    const { target } = JSON.parse(last.arguments) as { target: string };
    const isTaken = turn.lastResult?.includes('"ok":true') === true;
    return say(isTaken ? `I connect you with the ${spoken(target)}.` : `I cannot connect you now.`);
  }
  const heard = turn.heard.at(-1);
  if (tool === undefined || heard === undefined || !wish.test(heard)) return undefined;
  const target = targetsOf(tool).find((name) => heard.toLowerCase().includes(spoken(name).toLowerCase()));
  return target === undefined
    ? undefined
    : call('forward_call', { target, facts: `The caller said: ${heard}` });
}

/** What a note says of a transfer that has failed, for the person. */
export function readReturn(note: string): string | undefined {
  const found = /^The transfer to (\S+) did not come about \(([\w-]+)\)/.exec(note);
  if (found === null) return undefined;
  const [, target = '', why = ''] = found;
  return why === 'busy' ? `The ${spoken(target)} is busy.` : `The ${spoken(target)} does not answer.`;
}

function targetsOf({ parameters }: Tool): string[] {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const target = isObject(properties.target) ? properties.target : {};
  return Array.isArray(target.enum) ? target.enum.map(String) : [];
}

function spoken(name: string): string {
  return name.replaceAll('_', ' ');
}
