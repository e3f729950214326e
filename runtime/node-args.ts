/**
 * Node.js arguments of the processes. Without a limit, the heaps would grow with the machine's memory before garbage is
 * collected. In MB per heap: a worker has two, one for the program and one for its workflows. Both limits are more than
 * twice the use under load (`npm run bench -- memory-api memory-worker`). Decision 88 explains why the api allocates
 * everything young and why the semi-space is bounded, decision 282 why that of the worker is small, decision 164 why the media
 * process lets its heap grow to three times what it needs.
 */
export const nodeArgs: Readonly<Record<'api' | 'media' | 'worker', readonly string[]>> = {
  api: ['--max-old-space-size=192', '--max-semi-space-size=16', '--no-allocation-site-pretenuring'],
  media: [
    '--max-old-space-size=256',
    '--min-semi-space-size=64',
    '--max-semi-space-size=64',
    '--no-parallel-scavenge',
    '--heap-growing-percent=200',
  ],
  worker: ['--max-old-space-size=256', '--max-semi-space-size=4'],
};

/** The allocator of glibc keeps what threads have freed in an arena for each of them, and a worker has many threads. */
export const workerEnvironment = { MALLOC_ARENA_MAX: '2' } as const;
