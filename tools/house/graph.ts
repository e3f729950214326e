import type { Place, Source } from './read-sources.js';

type Sources = ReadonlyMap<string, Pick<Source, 'imports' | 'origins' | 'mentions'>>;

/** The groups of files that import each other in a circle, for types too. */
export function circlesIn(sources: Sources): string[][] {
  const reached = new Map([...sources.keys()].map((path) => [path, importedFrom(path, sources)]));
  const isCircular = (path: string, other: string) =>
    reached.get(path)?.has(other) === true && reached.get(other)?.has(path) === true;
  const inCircles = [...sources.keys()].filter((path) => isCircular(path, path));
  return inCircles
    .filter((path, place) => inCircles.findIndex((other) => isCircular(path, other)) === place)
    .map((path) => inCircles.filter((other) => isCircular(path, other)));
}

/** The files that a file imports, directly or through others. */
function importedFrom(path: string, sources: Sources): Set<string> {
  const found = new Set<string>();
  const visit = (from: string): void => {
    for (const next of sources.get(from)?.imports ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(path);
  return found;
}

/**
 * The files whose functions can be called from a function, on all branches. It is read from the names in the code:
 * more than one request meets, but not what is called on an object that was passed in.
 */
export function reachOf(start: Place, sources: Sources): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = ({ path, name }: Place): void => {
    const source = sources.get(path);
    if (source === undefined || seen.has(`${path} ${name}`)) return;
    seen.add(`${path} ${name}`);
    const mentioned = source.mentions.get(name);
    const origin = source.origins.get(name);
    if (name === '*') for (const declared of source.mentions.keys()) visit({ path, name: declared });
    else if (mentioned !== undefined) {
      files.add(path);
      for (const other of mentioned) visit({ path, name: other });
    } else if (origin !== undefined) visit(origin);
  };
  visit(start);
  if (files.size === 0) throw new Error(`${start.path} declares no ${start.name}`);
  return files;
}
