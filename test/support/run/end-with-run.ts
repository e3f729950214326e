import process from 'node:process';

/*
 * Run by vitest in each of its processes. Without it a process of an interrupted run goes on until it next speaks to
 * the run, or is ended by a signal that runs no `exit` handler: what it has started would be left behind.
 */

function endWithRun(): void {
  // Vitest replaces `process.exit` by a function that throws.
  process.emit('exit', 1);
  process.kill(process.pid, 'SIGKILL');
}

// Vitest runs this file again for each test file of a process.
if (!process.listeners('disconnect').some(({ name }) => name === endWithRun.name)) {
  for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.once(event, endWithRun);
}
