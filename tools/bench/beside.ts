import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.js';
import { type Measured, type Relation, relate, relationTable } from './relation.js';

const head = fileURLToPath(new URL('../..', import.meta.url));
/** Of each tree. */
const rounds = 3;

/**
 * Measures the figures in this tree and in that of another commit, in turn.
 * @returns whether no figure has fallen
 */
export function compareWith(commit: string, chosen: readonly Figure[]): boolean {
  // An interruption ends the bench that is under way, and with it this one, which tidies up.
  process.once('SIGINT', () => undefined);
  const base = join(mkdtempSync(join(tmpdir(), 'wes-bench-')), 'tree');
  try {
    checkOut(commit, base);
    const known = namesIn(base);
    const names = chosen.map(({ name }) => name);
    for (const name of names.filter((one) => !known.includes(one))) console.log(`${commit} has no ${name}.`);
    const relations = names.filter((one) => known.includes(one)).map((name) => compare(name, base));
    console.log(`\n${relationTable(relations)}`);
    return relations.every(({ fell }) => !fell);
  } finally {
    spawnSync('git', ['worktree', 'remove', '--force', base], { cwd: head });
    rmSync(join(base, '..'), { recursive: true, force: true });
  }
}

function checkOut(commit: string, folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: head, stdio: ['ignore', 'pipe', 'inherit'] });
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  const lock = (tree: string) => readFileSync(join(tree, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(head)) symlinkSync(join(head, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--prefer-offline'], { cwd: folder, stdio: 'inherit' });
}

/** An older tree has fewer figures. */
function namesIn(tree: string): string[] {
  const text = `const { figures } = await import('./tools/bench/figures.ts');
    console.log(JSON.stringify(figures.map(({ name }) => name)));`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', text];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: tree, encoding: 'utf8' }));
}

function compare(name: string, base: string): Relation {
  const [bases, heads]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    console.error(`${name}, round ${round + 1} of ${rounds} …`);
    // Neither is always measured in the other's aftermath.
    const sides = [() => bases.push(measureIn(base, name)), () => heads.push(measureIn(head, name))];
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) side();
  }
  const relation = relate(bases, heads);
  console.error(relationTable([relation]));
  return relation;
}

/** By the bench of the tree, which exits with 1 also where a target is missed. */
function measureIn(tree: string, name: string): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'wes-bench-result-'));
  const file = join(folder, 'results.json');
  try {
    const { stderr } = spawnSync('npm', ['run', '--silent', 'bench', '--', name, '--json', file], {
      cwd: tree,
      encoding: 'utf8',
    });
    if (!existsSync(file)) throw new Error(`${name} was not measured in ${tree}: ${stderr}`);
    return JSON.parse(readFileSync(file, 'utf8'))[0];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
