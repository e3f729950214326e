import { ManagedProcess, type ProcessOptions } from './processes.js';
import { ProvisioningError } from './provisioning-error.js';

/** The child processes of this process; ends them before this process ends. */
export class ProcessTable {
  readonly #live = new Set<ManagedProcess>();
  #closed = false;

  constructor() {
    // Last resort, for an exit that skipped the orderly stop: no child process may outlive this one.
    process.once('exit', () => {
      for (const running of this.#live) running.ask();
    });
  }

  /** @throws ProvisioningError when the program cannot be started, or when the system is stopping */
  async start(options: ProcessOptions): Promise<ManagedProcess> {
    if (this.#closed) throw new ProvisioningError(`${options.name} was not started: the system is stopping.`);
    const started = await ManagedProcess.start(options);
    this.#live.add(started);
    void started.ended.then(() => this.#live.delete(started));
    // stopAll was called during the start.
    if (this.#closed) await started.stop();
    return started;
  }

  /** Stops the process of a name, if it runs. */
  async stop(name: string): Promise<void> {
    for (const running of this.#live) if (running.name === name) await running.stop();
  }

  /** Stops all one by one: first in the order of `names`, then the rest. No process can be started afterwards. */
  async stopAll(names: readonly string[] = []): Promise<void> {
    this.#closed = true;
    const rank = ({ name }: ManagedProcess) => (names.includes(name) ? names.indexOf(name) : names.length);
    for (const running of [...this.#live].sort((a, b) => rank(a) - rank(b))) await running.stop();
  }

  /** Kills all at once with SIGKILL, as a crash would. No process can be started afterwards. */
  async killAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#live].map((running) => running.kill()));
  }
}
