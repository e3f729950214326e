import { parseArguments, UsageError } from '../dev/arguments.js';

export const usage = `npm run bench -- [figure …] [--json <file>] [--record]
npm run bench -- --beside <commit> [figure …]
npm run bench -- costs [operation …] [--json <file>]
npm run bench -- large [question …] [--scale <part of a whole installation>] [--json <file>]`;

/** What can be asked for by its name. */
interface Named {
  name: string;
}

/** What is to be measured; figures and operations in the order of their tables, and all unless some are named. */
export type BenchOptions<Figure extends Named, Operation extends Named, Question extends Named> = {
  jsonFile: string | undefined;
} & (
  | { command: 'figures'; figures: readonly Figure[]; isRecorded: boolean }
  | { command: 'beside'; base: string; figures: readonly Figure[] }
  | { command: 'costs'; operations: readonly Operation[] }
  | { command: 'large'; questions: readonly Question[]; scale: number }
);

interface Known<Figure, Operation, Question> {
  figures: readonly Figure[];
  operations: readonly Operation[];
  questions: readonly Question[];
}

/** Of a whole installation. */
const defaultScale = 1 / 20;

/** @throws UsageError */
export function readOptions<Figure extends Named, Operation extends Named, Question extends Named>(
  args: readonly string[],
  { figures, operations, questions }: Known<Figure, Operation, Question>,
): BenchOptions<Figure, Operation, Question> {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      record: { type: 'boolean' },
      beside: { type: 'string' },
      scale: { type: 'string' },
    },
  });
  const { json: jsonFile, record, beside: base, scale = String(defaultScale) } = values;
  const [command, ...names] = positionals;
  /** No other option than these can be given. */
  const allow = (...allowed: (keyof typeof values)[]) => {
    const others = Object.keys(values).filter((name) => !allowed.some((one) => one === name));
    if (others.length > 0) throw new UsageError(`--${others[0]} does not belong here.\n${usage}`);
  };
  if (command === 'costs') {
    allow('json');
    return { command, operations: choose('operation', operations, names), jsonFile };
  }
  if (command === 'large') {
    allow('json', 'scale');
    if (!(Number(scale) > 0 && Number(scale) <= 1)) {
      throw new UsageError(`--scale has to be above 0, and at most 1.\n${usage}`);
    }
    return { command, questions: choose('question', questions, names), scale: Number(scale), jsonFile };
  }
  const chosen = choose('figure', figures, positionals);
  if (base !== undefined) {
    allow('beside');
    return { command: 'beside', base, figures: chosen, jsonFile };
  }
  allow('json', 'record');
  return { command: 'figures', figures: chosen, isRecorded: record ?? false, jsonFile };
}

function choose<Item extends Named>(
  kind: string,
  all: readonly Item[],
  names: readonly string[],
): readonly Item[] {
  const unknown = names.find((name) => !all.some((item) => item.name === name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ');
    throw new UsageError(`There is no ${kind} ${unknown}: there are ${known}.\n${usage}`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
