import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSuites, readSuite } from '../../../tools/play/check-files.js';
import { FileError, readWorkflow, walksFilesAt } from '../../../tools/play/files.js';
import { playByHand } from '../../../tools/play/play-by-hand.js';
import { useDatabase } from '../../support/db/use-database.js';

const examples = fileURLToPath(new URL('../../../docs/example-workflows/', import.meta.url));
const testDatabase = useDatabase();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wes-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('files of walks', () => {
  it('pass for the example of the documents', async () => {
    const lines: string[] = [];
    const suites = await Promise.all((await walksFilesAt(examples)).map(readSuite));

    const failed = await checkSuites(testDatabase.database, suites, (line) => lines.push(line));

    expect(lines.at(-1)).toBe('3 passed, 0 failed');
    expect(failed).toBe(0);
  });

  it('fail with the difference, or with the step that cannot be taken', async () => {
    const suite = await readSuite(join(examples, 'after-the-visit.walks.yaml'));
    const walks = [
      { name: 'another status', expect: { status: 'completed' } },
      { name: 'too early', script: [{ agent: { say: 'Hello' } }], expect: {} },
    ];
    const lines: string[] = [];

    const failed = await checkSuites(testDatabase.database, [{ ...suite, walks }], (line) =>
      lines.push(line),
    );

    expect(failed).toBe(2);
    expect(lines).toContain('      status is "active", not "completed"');
    expect(lines.join('\n')).toContain('/script/0 is not used');
  });

  it.each([
    ['no-walks.walks.yaml', 'workflow: a.yaml\nwalks: []\n', '/walks'],
    ['unknown.walks.yaml', 'workflow: a.yaml\nwalks: [{name: A, expect: {sttus: x}}]\n', 'expect/sttus'],
    ['no-yaml.walks.yaml', 'a: [', 'no-yaml.walks.yaml'],
  ])('are refused where they are wrong: %s', async (name, content, told) => {
    const path = await written(name, content);
    await expect(readSuite(path)).rejects.toThrow(told);
    await expect(readSuite(path)).rejects.toThrow(FileError);
  });

  it('are missing in an empty folder, or the folder is', async () => {
    await expect(walksFilesAt(join(folder, 'nowhere'))).rejects.toThrow('There is no file or folder');
    const empty = await mkdtemp(join(folder, 'empty-'));
    await expect(walksFilesAt(empty)).rejects.toThrow('has no files that end in .walks.yaml');
  });
});

describe('the file of a workflow', () => {
  it('is JSON as well', async () => {
    const rootTask = { name: 'End', taskType: 'conclude' };
    const path = await written('end.json', JSON.stringify({ name: 'End', rootTask }));
    expect(await readWorkflow(path)).toEqual({ name: 'End', dataTypes: [], rootTask });
  });

  it.each([
    ['a task without a type', { name: 'A', rootTask: { name: 'A' } }, '/rootTask/taskType is required'],
    ['an unknown field', { name: 'A', tasks: [] }, '/tasks'],
    [
      'an expression that does not parse',
      { name: 'A', rootTask: { name: 'A', taskType: 'handoff', celGuard: 'a b' } },
      'Task "A"',
    ],
  ])('is refused: %s', async (_, content, told) => {
    const path = await written('wrong.json', JSON.stringify(content));
    await expect(readWorkflow(path)).rejects.toThrow(told);
  });
});

describe('playing by hand', () => {
  it('prints what each line brings, takes a step back, and drops one that cannot be taken', async () => {
    const workflow = await readWorkflow(join(examples, 'after-the-visit.yaml'));
    const input = new PassThrough();
    const typed = ['/next', '/agent How satisfied?', 'Two', '/choose Nowhere', '/undo', '/script', '/quit'];
    input.end(`${typed.join('\n')}\n`);
    const lines: string[] = [];

    await playByHand(testDatabase.database, workflow, input, (line) => lines.push(line));

    const text = lines.join('\n');
    expect(text).toContain('text    → Hello Robin Sample, we will ask you tomorrow.');
    expect(text).toMatch(/\[“A day” waits for the time to come, until .*\]/);
    expect(text).toMatch(
      /agent {3}→ How satisfied\?\n {2}\[“Score” waits for the member, or for the time to come, until .*\]\nmember {2}← Two/,
    );
    expect(lines.filter((line) => line === 'member  ← Two')).toHaveLength(1);
    expect(lines.at(-1)).toContain('- clock: next\n  - agent:\n      say: How satisfied?\n');
  });
});
