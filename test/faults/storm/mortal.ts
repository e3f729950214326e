import type { ServiceProcess } from '../../support/run/service-process.js';

/** A program that is killed and started anew, as a supervisor would; knows when it ended by itself. */
export class Mortal {
  readonly name: string;
  readonly #start: () => Promise<ServiceProcess>;
  #process: ServiceProcess | undefined;
  endedByItself = 0;

  constructor(name: string, start: () => Promise<ServiceProcess>) {
    this.name = name;
    this.#start = start;
  }

  async start(): Promise<void> {
    this.look();
    this.#process ??= await this.#start();
  }

  async kill(): Promise<void> {
    this.look();
    const process = this.#process;
    this.#process = undefined;
    await process?.kill();
  }

  look(): void {
    if (this.#process === undefined || this.#process.running()) return;
    this.endedByItself += 1;
    this.#process = undefined;
  }
}
