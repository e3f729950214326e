import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesIn, reachOf } from '../../../tools/house/graph.js';
import { readSources } from '../../../tools/house/read-sources.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';

/** The sources of a project. Double quotes hide the imports in its files from the list of unit tests. */
function sourcesOf(files: Record<string, string>) {
  const folder = temporaryFolder();
  const config = JSON.stringify({ compilerOptions: { module: 'nodenext' }, include: ['**/*.ts'] });
  for (const [path, text] of Object.entries({ ...files, 'tsconfig.json': config })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return readSources(folder);
}

describe('circles of imports', () => {
  it('are found among types and exports that are passed on, once each', () => {
    const sources = sourcesOf({
      'a.ts': 'import type { B } from "./b.js";\nexport interface A { b: B }\n',
      'b.ts': 'export type { C as B } from "./deep/c.js";\n',
      'deep/c.ts': 'import { type A } from "../a.js";\nexport interface C { a: A }\n',
      'd.ts': 'import { e } from "./e.js";\nexport const d = () => e;\n',
      'e.ts': 'import { d } from "./d.js";\nexport const e = () => d;\n',
      'user.ts': 'import type { A } from "./a.js";\nexport type U = A;\n',
    });

    expect(circlesIn(sources)).toEqual([
      ['a.ts', 'b.ts', 'deep/c.ts'],
      ['d.ts', 'e.ts'],
    ]);
  });
});

describe('the reach of a function', () => {
  const files = {
    'start.ts': `import type { Typed } from "./typed.js";
      import { called, unused } from "./called.js";
      import * as all from "./all.js";
      export function start(typed: Typed) { return [called(), all.one, inFile]; }
      export const other = () => unused();
      const inFile = { unused: 1 };`,
    'typed.ts': 'export class Typed {}',
    'called.ts': 'export { renamed as called } from "./renamed.js";\nexport const unused = () => 2;',
    'renamed.ts': 'import { Base } from "./base.js";\nexport class renamed extends Base {}',
    'base.ts': 'export class Base {}',
    'all.ts': 'import { last } from "./last.js";\nexport const one = 1;\nexport const two = () => last();',
    'last.ts': 'export const last = () => 3;',
  };

  it('is the files of the functions, values and classes that its code names, and their code', () => {
    const reached = reachOf({ path: 'start.ts', name: 'start' }, sourcesOf(files));

    expect([...reached].sort()).toEqual(['all.ts', 'base.ts', 'last.ts', 'renamed.ts', 'start.ts']);
  });

  it('is refused for a name that the file does not declare', () => {
    const sources = sourcesOf(files);

    expect(() => reachOf({ path: 'start.ts', name: 'gone' }, sources)).toThrow('start.ts declares no gone');
  });
});
