import type { Figure } from './figure.js';

export interface BenchOptions {
  figures: readonly Figure[];
  jsonFile: string | undefined;
}

/** `[figure …] [--json file]`. @throws Error with a message for the terminal */
export function readOptions(args: readonly string[], all: readonly Figure[]): BenchOptions {
  const at = args.indexOf('--json');
  const jsonFile = at < 0 ? undefined : args[at + 1];
  if (at >= 0 && jsonFile === undefined) throw new Error('--json needs the name of a file.');
  const names = at < 0 ? args : args.toSpliced(at, 2);
  const unknown = names.find((name) => !all.some((figure) => figure.name === name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ');
    throw new Error(`There is no figure ${unknown}: there are ${known}, and --json <file>.`);
  }
  return { figures: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)), jsonFile };
}
