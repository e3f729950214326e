import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import type { Database } from '../../db/database.js';
import { DomainError, describeErrors } from '../../domain/lib/errors.js';
import type { Simulation } from '../../domain/simulation/entries.js';
import type { ScriptStep } from '../../domain/simulation/script.js';
import { help, readCommand } from './commands.js';
import { describeEntry } from './describe-entry.js';
import type { PlayedWorkflow } from './files.js';
import { play } from './player.js';

/**
 * Plays a workflow with what is typed: each line adds a step to the script, the whole walk is simulated again, and what
 * is new is printed. A step that cannot be taken is dropped.
 */
export async function playByHand(
  db: Database,
  workflow: PlayedWorkflow,
  input: NodeJS.ReadableStream,
  print: (line: string) => void,
): Promise<void> {
  // The same beginning for each walk, so that its times do not move.
  const beginning = { startsAt: new Date().toISOString(), member: { name: 'Robin Sample' } };
  let script: ScriptStep[] = [];
  let shown = 0;
  const walk = async (steps: ScriptStep[]): Promise<void> => {
    const played = await play(db, workflow, { ...beginning, script: steps });
    for (const entry of played.entries.slice(shown)) print(describeEntry(entry));
    shown = played.entries.length;
    script = steps;
    print(`  ${stateOf(played)}`);
  };

  print(`${workflow.name}\n${help}\n`);
  await walk([]);
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const command = readCommand(line);
    if (command.kind === 'quit') return;
    if (command.kind === 'help') print(help);
    if (command.kind === 'unknown') print(command.message);
    if (command.kind === 'script') print(stringify({ ...beginning, script }));
    if (command.kind === 'undo') {
      shown = 0;
      await walk(script.slice(0, -1));
    }
    if (command.kind === 'step')
      await walk([...script, command.step]).catch((error) => print(sentenceOf(error)));
  }
}

function stateOf({ status, waitsFor, needsResponseReason }: Simulation): string {
  if (waitsFor === undefined) return `[${status}]`;
  const until = waitsFor.until === undefined ? '' : `, until ${waitsFor.until.toISOString()}`;
  const called = needsResponseReason === null ? '' : `; a colleague is alerted: ${needsResponseReason}`;
  return `[“${waitsFor.task}” ${waitsFor.what}${until}${called}]`;
}

/** @throws the error if it is not about the step */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof DomainError)) throw error;
  return error.errors.length > 0 ? describeErrors(error.errors) : error.message;
}
