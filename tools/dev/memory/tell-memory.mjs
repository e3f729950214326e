import { createServer } from 'node:http';

/*
 * Loaded into a process ahead of its program (`node --expose-gc --import`): answers on MEMORY_PORT with what the process
 * holds once everything that nobody needs is gone.
 */
createServer((_, response) => {
  for (let times = 0; times < 3; times += 1) globalThis.gc();
  response.end(JSON.stringify(process.memoryUsage()));
})
  .listen(Number(process.env.MEMORY_PORT), '127.0.0.1')
  .unref();
