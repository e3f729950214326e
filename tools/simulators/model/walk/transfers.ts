import { isObject } from '../../support/read-json.js';
import { type Answer, call, say, type Tool } from '../protocol.js';
import type { Turn } from './read-turn.js';
import { spoken } from './transfer-news.js';

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

function targetsOf({ parameters }: Tool): string[] {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const target = isObject(properties.target) ? properties.target : {};
  return Array.isArray(target.enum) ? target.enum.map(String) : [];
}
