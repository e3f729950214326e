/** Tells what is being done. `npm start` prints it, tests keep it for the error. */
export interface Progress {
  /** Runs `work`; says so when it takes longer than a second, and how long it took. */
  step<T>(title: string, work: (say: (detail: string) => void) => Promise<T>): Promise<T>;
}

const clock = () => performance.now();

/** On a terminal one line that moves, elsewhere a line now and then: nobody looks at a still screen. */
export function consoleProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  return {
    async step(title, work) {
      const started = clock();
      let detail = '';
      const seconds = () => Math.round((clock() - started) / 1000);
      const line = () => `  ${title} … ${seconds()} s${detail === '' ? '' : ` · ${detail}`}`;
      let ticks = 0;
      const timer = setInterval(() => {
        ticks += 1;
        if (out.isTTY) out.write(`\r\x1b[2K${line().slice(0, (out.columns ?? 100) - 1)}`);
        else if (ticks === 1 || ticks % 10 === 0) out.write(`${line()}\n`);
      }, 1000);
      try {
        const result = await work((text) => {
          detail = text;
        });
        if (out.isTTY && ticks > 0) out.write('\r\x1b[2K');
        out.write(`  ✓ ${title}${ticks > 0 ? ` (${seconds()} s)` : ''}\n`);
        return result;
      } catch (error) {
        if (out.isTTY && ticks > 0) out.write('\r\x1b[2K');
        out.write(`  ✗ ${title}\n`);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** Says nothing. */
export const silentProgress: Progress = {
  step: async (_title, work) => work(() => undefined),
};
