import type { Figure } from './figure.js';

export interface BenchOptions {
  figures: readonly Figure[];
  /** The file for the results as JSON. */
  jsonFile?: string;
}

/** `[figure …] [--json file]`. @throws Error with a message for the terminal */
export function readOptions(args: readonly string[], all: readonly Figure[]): BenchOptions {
  const names: string[] = [];
  let jsonFile: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--json') {
      at += 1;
      jsonFile = args[at];
      if (jsonFile === undefined) throw new Error('--json needs the name of a file.');
    } else names.push(arg);
  }
  const unknown = names.find((name) => !all.some((figure) => figure.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no figure ${unknown}: there are ${all.map(({ name }) => name).join(', ')}, and --json <file>.`,
    );
  }
  return {
    figures: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)),
    ...(jsonFile === undefined ? {} : { jsonFile }),
  };
}
