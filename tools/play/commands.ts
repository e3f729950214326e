import type { ScriptStep } from '../../domain/simulation/script.js';
import { simulatedCallOutcomes } from '../../domain/simulation/scripted-phone.js';

/** What a typed line asks for. */
export type Command =
  | { kind: 'step'; step: ScriptStep }
  | { kind: 'undo' }
  | { kind: 'script' }
  | { kind: 'help' }
  | { kind: 'quit' }
  | { kind: 'unknown'; message: string };

export const help = `  a text                  the member writes it
  /agent <text>           the agent says it
  /choose <task>          the agent goes on to a task
  /call <tool> <JSON>     the agent calls a tool, such as save_data {"town": "Lyon"}
  /next                   time passes until the next timer; /wait P1D or /wait <time>, a duration or a time
  /person <text>          a colleague writes it; /select <task>, /pause, /resume, /cancel
  /failed <error code>    SMS fail from here on; /delivered
  /phone <outcome>        calls end so from here on: busy, no-answer, failed, voicemail, answered
  /undo, /script, /quit   takes back the last step, shows the script as YAML, ends`;

const steps: Record<string, (rest: string) => ScriptStep | string> = {
  agent: (say) => (say === '' ? 'A text is missing.' : { agent: { say } }),
  choose: (select) => (select === '' ? 'The name of a task is missing.' : { agent: { select } }),
  call: callOf,
  next: () => ({ clock: 'next' }),
  wait: (clock) => (clock === '' ? 'A duration such as P1D, or a time, is missing.' : { clock }),
  person: (operator) => (operator === '' ? 'A text is missing.' : { operator }),
  select: (task) => (task === '' ? 'The name of a task is missing.' : { select: { task } }),
  pause: () => ({ pause: true }),
  resume: () => ({ resume: true }),
  cancel: (reason) => ({ cancel: reason === '' ? {} : { reason } }),
  failed: (errorCode) => ({ carrier: { outcome: 'failed', ...(errorCode === '' ? {} : { errorCode }) } }),
  delivered: () => ({ carrier: { outcome: 'delivered' } }),
  phone: phoneOf,
};

/** Reads a line that a person has typed. A line without a slash is a message of the member. */
export function readCommand(line: string): Command {
  const text = line.trim();
  const [, name = '', rest = ''] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? [];
  if (!text.startsWith('/')) return { kind: 'step', step: { member: text } };
  if (name === 'undo' || name === 'script' || name === 'help' || name === 'quit') return { kind: name };
  const step = Object.hasOwn(steps, name) ? steps[name]?.(rest) : undefined;
  if (step === undefined)
    return { kind: 'unknown', message: `There is no /${name}. /help lists what there is.` };
  return typeof step === 'string' ? { kind: 'unknown', message: step } : { kind: 'step', step };
}

function phoneOf(text: string): ScriptStep | string {
  const outcome = simulatedCallOutcomes.find((one) => one === text);
  return outcome === undefined
    ? `What becomes of calls: ${simulatedCallOutcomes.join(', ')}.`
    : { phone: { outcome } };
}

function callOf(rest: string): ScriptStep | string {
  const [, name = '', json = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
  if (name === '') return 'The name of a tool is missing.';
  try {
    const given = json === '' ? {} : (JSON.parse(json) as Record<string, unknown>);
    return { agent: { calls: [{ name, arguments: given }] } };
  } catch {
    return 'The arguments of a tool have to be JSON, such as {"town": "Lyon"}.';
  }
}
