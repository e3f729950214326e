/**
 * What node is started with. The heaps of a process would otherwise grow with the machine before garbage is collected.
 * In MB, for each heap: a worker has two, the program's and its workflows'. Both are more than twice what is in use
 * under load (`npm run bench -- memory-api memory-worker`). Why the api allocates everything young: decision 88.
 */
export const nodeArgs: Readonly<Record<'api' | 'worker', readonly string[]>> = {
  api: ['--max-old-space-size=192', '--no-allocation-site-pretenuring'],
  worker: ['--max-old-space-size=256'],
};
