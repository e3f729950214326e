import type { RunningSimulator } from './serve.js';

/** Runs a simulator as a separate program: prints its address, and stops on a signal. */
export async function runProgram(
  name: string,
  defaultPort: number,
  start: (port: number, host: string) => Promise<RunningSimulator>,
): Promise<void> {
  const port = Number(process.env.PORT ?? defaultPort);
  const host = process.env.HOST ?? '127.0.0.1';
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error('PORT has to be a port number.');
    process.exit(1);
  }
  try {
    const simulator = await start(port, host);
    console.log(
      `Simulated ${name} at ${simulator.url}. It only pretends: nothing here reaches the real world.`,
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => simulator.close().then(() => process.exit(0)));
    }
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    console.error(`The simulated ${name} cannot start${taken ? `: port ${port} is in use` : ''}.`);
    process.exit(1);
  }
}
