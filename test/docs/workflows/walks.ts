import type { Entry, Simulation } from '../../../domain/simulation/entries.js';
import type { ScriptStep, SimulationInput } from '../../../domain/simulation/script.js';

/** Terms of every walk on the page, unless a walk begins with others. */
const terms: SimulationInput = {
  startsAt: '2030-01-07T09:00:00Z',
  timezone: 'UTC',
  member: { name: 'Robin Sample' },
};

/**
 * Reads the input of a walk as docs/workflows.md writes it: a line that begins with `>` is a step of the script, and the
 * first line may begin with `with` and have other terms.
 */
export function readWalk(text: string): SimulationInput {
  const lines = text.split('\n');
  const own = lines[0]?.startsWith('with ') ? (JSON.parse(lines[0].slice(5)) as SimulationInput) : {};
  const script = lines.filter((line) => line.startsWith('> ')).map((line) => JSON.parse(line.slice(2)));
  return { ...terms, ...own, member: { ...terms.member, ...own.member }, script: script as ScriptStep[] };
}

/**
 * Writes a walk as docs/workflows.md shows it, with the steps of its script as they stand in `text`. What happens to one
 * task in a row is one line.
 */
export function writeWalk(text: string, simulation: Simulation): string {
  const given = text.split('\n');
  const steps = given.filter((line) => line.startsWith('> '));
  const after = (step: number | undefined) =>
    written(simulation.entries.filter((entry) => entry.step === step).flatMap(lineOf));
  return [
    ...given.slice(0, 1).filter((line) => line.startsWith('with ')),
    ...after(undefined),
    ...steps.flatMap((line, index) => [line, ...after(index)]),
    ...endOf(simulation),
  ].join('\n');
}

interface Line {
  /** Undefined if it is about the whole assignment. */
  task?: string | null;
  text: string;
}

function written(lines: readonly Line[]): string[] {
  const joined: Line[] = [];
  for (const { task, text } of lines) {
    const last = joined.at(-1);
    if (last !== undefined && task !== undefined && last.task === task) last.text += `, ${text}`;
    else joined.push({ ...(task === undefined ? {} : { task }), text });
  }
  return joined.map(({ task, text }) => (task === undefined ? text : `${task}: ${text}`));
}

function endOf({ waitsFor }: Simulation): string[] {
  if (waitsFor === undefined) return [];
  const { task, what, until } = waitsFor;
  return [`${task}: ${what}${until === undefined ? '' : `, until ${minute(until)}`}`];
}

/** What members, agents and colleagues write is in the script. */
function lineOf(entry: Entry): Line[] {
  const { task } = entry;
  switch (entry.kind) {
    case 'entered':
      return [{ task, text: `entered${entry.by === 'automatic' ? '' : ` by the ${entry.by}`}` }];
    case 'completed':
      return [{ task, text: 'completed' }];
    case 'message':
      if (entry.from === 'task') return [{ task, text: `writes "${entry.text}"` }];
      return entry.from === 'note' ? [{ task, text: `notes "${entry.text}"` }] : [];
    case 'tool':
      return toolLine(entry);
    case 'timer_set':
      return [{ task, text: `waits until ${minute(entry.until)}` }];
    case 'timer_came':
      return [{ task, text: 'the time has come' }];
    case 'follow_up_set':
      return [{ text: `follow-up set for ${minute(entry.until)}` }];
    case 'follow_up_came':
      return [{ text: 'follow-up due' }];
    case 'follow_up_cancelled':
      return [{ text: 'follow-up cancelled' }];
    case 'delivery':
      return [{ text: `SMS ${entry.status}` }];
    case 'refused':
      return [{ text: `refused: ${entry.text}` }];
    case 'needs_response':
      return [{ text: `a colleague is alerted: ${entry.reason}` }];
    case 'answered':
      return [{ text: 'the call is answered' }];
    case 'paused':
      return [{ text: 'the agent is paused' }];
    case 'resumed':
      return [{ text: 'the agent is resumed' }];
    case 'concluded': {
      const outcome = entry.outcome === null ? '' : `, outcome ${entry.outcome}`;
      const reason = entry.reason === null ? '' : ` (${entry.reason})`;
      return [{ text: `the assignment ends: ${entry.status}${outcome}${reason}` }];
    }
  }
}

/** A selection shows in the task that is entered. */
function toolLine({ task, tool, result }: Extract<Entry, { kind: 'tool' }>): Line[] {
  const { ok } = JSON.parse(result) as { ok: boolean };
  if (!ok) return [{ task, text: `${tool} fails with ${result}` }];
  return tool === 'select_task' ? [] : [{ task, text: `${tool} succeeds` }];
}

function minute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16)}Z`;
}
