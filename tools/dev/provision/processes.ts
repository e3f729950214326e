import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { waitUntil } from '../../../runtime/wait-until.js';
import { removePidFile, writePidFile } from './pid-file.js';
import { ProvisioningError } from './provisioning-error.js';

export interface ProcessOptions {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The user that it runs as, if not the launcher's. */
  user?: { uid: number; gid: number };
  logFile: string;
  /** File that keeps its id for a later start; removed when the process ends. */
  pidFile?: string;
  /** The signal for an orderly stop; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process that writes to a log file and can be stopped or killed. */
export class ManagedProcess {
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<ProcessEnd>;
  readonly pid: number;
  readonly name: string;
  readonly logFile: string;
  readonly #child: ChildProcess;
  readonly #stopSignal: NodeJS.Signals;
  #stopping = false;

  private constructor(child: ChildProcess, pid: number, options: ProcessOptions) {
    this.#child = child;
    this.pid = pid;
    this.name = options.name;
    this.logFile = options.logFile;
    this.#stopSignal = options.stopSignal ?? 'SIGTERM';
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        if (options.pidFile !== undefined) removePidFile(options.pidFile, pid);
        resolve({ code, signal });
      });
    });
    if (options.pidFile !== undefined) writePidFile(options.pidFile, pid);
  }

  /** @throws ProvisioningError when the program cannot be started */
  static async start(options: ProcessOptions): Promise<ManagedProcess> {
    mkdirSync(dirname(options.logFile), { recursive: true });
    const log = openSync(options.logFile, 'a', 0o600);
    try {
      const child = spawnPrivately(options, log);
      const pid = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('spawn', () => resolve(Number(child.pid)));
      });
      return new ManagedProcess(child, pid, options);
    } catch (error) {
      throw new ProvisioningError(`${options.name} could not be started: ${(error as Error).message}.`);
    } finally {
      closeSync(log);
    }
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether a stop was requested here; otherwise the end of the process counts as a crash. */
  get stopping(): boolean {
    return this.#stopping;
  }

  ask(): void {
    this.#stopping = true;
    if (this.running) this.#child.kill(this.#stopSignal);
  }

  /** Sends the stop signal, then SIGKILL after `graceMs`; resolves when the process has ended. */
  async stop(graceMs = 20_000): Promise<void> {
    this.ask();
    if (!this.running) return;
    const insist = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.ended;
    clearTimeout(insist);
  }

  /** Ends it with SIGKILL, as a crash would, and waits until it has ended. */
  async kill(): Promise<void> {
    this.#stopping = true;
    if (!this.running) return;
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Polls until `condition` holds. @returns false if the time is over or the process has ended */
  async reaches(
    condition: () => Promise<boolean>,
    options: { withinMs: number; everyMs?: number },
  ): Promise<boolean> {
    return (await waitUntil(async () => !this.running || (await condition()), options)) && this.running;
  }

  /** The last lines of its log, for the message that explains why it ended. */
  lastLines(count = 3): string {
    try {
      return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-count).join(' ');
    } catch {
      return '';
    }
  }
}

/** Starts the child with umask 077: its files can contain personal data, so only its user may read them. */
function spawnPrivately(options: ProcessOptions, log: number): ChildProcess {
  const usual = process.umask(0o077);
  try {
    // In a separate process group, so that Ctrl-C reaches only the launcher, which stops the others in order.
    return spawn(options.command, options.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: options.env ?? process.env,
      ...(options.cwd && { cwd: options.cwd }),
      ...options.user,
    });
  } finally {
    process.umask(usual);
  }
}

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
