import { ManagedProcess, type ProcessOptions } from './processes.js';
import { ProvisioningError } from './provisioning-error.js';

/** Everything that was started and has to be gone before we are. */
export class ProcessTable {
  readonly #live = new Set<ManagedProcess>();
  #closed = false;

  constructor() {
    // The last net, for an end that ran no other code of ours: nothing of it may outlive us.
    process.once('exit', () => {
      for (const running of this.#live) running.ask();
    });
  }

  /** @throws ProvisioningError when the program cannot be started, or everything is being stopped */
  async start(options: ProcessOptions): Promise<ManagedProcess> {
    if (this.#closed) throw new ProvisioningError(`${options.name} was not started: the system is stopping.`);
    const started = await ManagedProcess.start(options);
    this.#live.add(started);
    void started.ended.then(() => this.#live.delete(started));
    // Stopping began while it was being started.
    if (this.#closed) await started.stop();
    return started;
  }

  /** Stops all, one after the other: in the order of `names`, then the rest. Nothing can be started afterwards. */
  async stopAll(names: readonly string[] = []): Promise<void> {
    this.#closed = true;
    const rank = ({ name }: ManagedProcess) => (names.includes(name) ? names.indexOf(name) : names.length);
    for (const running of [...this.#live].sort((a, b) => rank(a) - rank(b))) await running.stop();
  }

  /** Ends all at once, as a crash would. Nothing can be started afterwards. */
  async killAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#live].map((running) => running.kill()));
  }
}
