import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circlesIn, reachOf } from './graph.js';
import type { Source } from './read-sources.js';

export interface HouseFigure {
  title: string;
  value: number;
  atMost: number;
  /** Where the value is found. */
  place?: string;
}

/** The commands of which it is reported how many files they reach. */
const commands = [
  { title: 'a select', path: 'domain/assignments/select-task.ts', name: 'selectTask', atMost: 90 },
  {
    title: 'create chat',
    path: 'domain/conversations/chats/create-chat.ts',
    name: 'createChat',
    atMost: 110,
  },
  {
    title: 'an inbound SMS',
    path: 'domain/conversations/chats/receive-sms.ts',
    name: 'receiveSms',
    atMost: 110,
  },
  { title: 'the front door', path: 'api/http/pipeline/serve-route.ts', name: 'serveRoute', atMost: 35 },
];

/** The ways of asking the database that a file can mix. */
const queryStyles = {
  model: /\b\w+Model\.\w+[(<]/,
  statement: /\b(prepared|preparedAtEnd|statement)[(<]/,
  template: /\bsql`/,
  builder: /\b(tx|knex)(\(['"]|\.raw\()/,
};

/** The size and the shape of the code, beside what they are to be. */
export function figuresOf(sources: ReadonlyMap<string, Source>, docs: string): HouseFigure[] {
  const all = [...sources];
  const product = all.filter(([path]) => !/^(test|docs|clients)\/|^[^/]+$/.test(path));
  const migrations = product.filter(([path]) => path.startsWith('db/migrations/'));
  const service = product.filter(([path]) => !/^(tools|db\/migrations)\//.test(path));
  const tests = all.filter(([path]) => path.startsWith('test/'));
  const served = new Map(service);
  const largest = maxOf(product, ({ lines }) => lines);
  const mixed = maxOf(service, stylesIn);
  return [
    { title: 'lines of the service, without tools and migrations', value: linesOf(service), atMost: 118_000 },
    { title: 'lines of the product, with them', value: linesOf(product), atMost: 138_000 },
    { title: 'lines of migrations', value: linesOf(migrations), atMost: 2_600 },
    { title: 'files of the product', value: product.length, atMost: 1_850 },
    { title: 'lines of the largest file', ...largest, atMost: 400 },
    { title: 'circles of imports, of types too', value: circlesIn(sources).length, atMost: 0 },
    ...commands.map(({ title, path, name, atMost }) => ({
      title: `files that ${title} reaches`,
      value: reachOf({ path, name }, served).size,
      atMost,
    })),
    { title: 'query styles in one file', ...mixed, atMost: 2 },
    { title: 'lines of tests', value: linesOf(tests), atMost: 122_000 },
    { title: 'words of docs and decisions', value: wordsIn(docs), atMost: 110_000 },
  ];
}

type Files = readonly (readonly [path: string, source: Source])[];

function linesOf(files: Files): number {
  return files.reduce((sum, [, { lines }]) => sum + lines, 0);
}

function maxOf(files: Files, count: (source: Source) => number): { value: number; place: string } {
  const counted = files.map(([place, source]) => ({ place, value: count(source) }));
  return counted.reduce((most, one) => (one.value > most.value ? one : most), { place: '', value: 0 });
}

function stylesIn({ text }: Source): number {
  return Object.values(queryStyles).filter((style) => style.test(text)).length;
}

function wordsIn(folder: string): number {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return pages.reduce(
    (sum, page) => sum + readFileSync(join(folder, page), 'utf8').split(/\s+/).filter(Boolean).length,
    0,
  );
}
