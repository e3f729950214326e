export interface Progress {
  /** Prints a sentence about the step before. */
  note(sentence: string): void;
  /** Runs `work` and reports its title, its result, and its duration if it took longer than a second. */
  step<T>(title: string, work: (say: (detail: string) => void) => Promise<T>): Promise<T>;
}

const clock = () => performance.now();

/** On a terminal, updates one line every second; otherwise prints a line after 1 s and then every 10 s. */
export function consoleProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  return {
    note: (sentence) => out.write(`    ${sentence}\n`),
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
      const say = (text: string) => {
        detail = text;
      };
      let sign = '✗';
      try {
        const result = await work(say);
        sign = '✓';
        return result;
      } finally {
        clearInterval(timer);
        if (out.isTTY && ticks > 0) out.write('\r\x1b[2K');
        const taken = sign === '✓' && ticks > 0 ? ` (${seconds()} s)` : '';
        out.write(`  ${sign} ${title}${taken}\n`);
      }
    },
  };
}
