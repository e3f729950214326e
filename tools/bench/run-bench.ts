import { TestBackends } from '../../test/support/run/backends.js';

interface BenchRun {
  /** A bench that takes longer hangs. */
  maxMs: number;
  /** Of PostgreSQL. */
  settings?: readonly string[];
}

/** Runs a bench with its servers, which end with it. The process ends with 0 if `work` says that all is well, else with 1. */
export async function runBench(
  { maxMs, settings = [] }: BenchRun,
  work: (backends: TestBackends) => Promise<boolean>,
): Promise<never> {
  const backends = new TestBackends(settings);
  const stop = async (code: number): Promise<never> => {
    await backends.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop(1));
  setTimeout(() => {
    console.error('The bench took too long and was ended.');
    void stop(1);
  }, maxMs).unref();
  let isWell = false;
  try {
    isWell = await work(backends);
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return stop(isWell ? 0 : 1);
}
