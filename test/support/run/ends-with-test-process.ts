import type { ChildProcess } from 'node:child_process';

const started = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** The same child process, which is ended where this process ends before it. */
export function endsWithTestProcess<Child extends ChildProcess>(child: Child): Child {
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}
