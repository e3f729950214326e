export interface Progress {
  /** Prints a sentence about the step before. */
  note(sentence: string): void;
  /** Runs `work` and reports its title, its result, and its duration if it took longer than a second. */
  step<T>(title: string, work: (say: (detail: string) => void) => Promise<T>): Promise<T>;
}

const clock = () => performance.now();

interface Step {
  title: string;
  startedAt: number;
  detail: string;
}

const secondsOf = ({ startedAt }: Step) => Math.round((clock() - startedAt) / 1000);
const lineOf = (step: Step) =>
  `${step.title} … ${secondsOf(step)} s${step.detail === '' ? '' : ` · ${step.detail}`}`;

/** On a terminal, updates one line of the running steps every second; otherwise prints a line of each after 1 s and then every 10 s. */
export function consoleProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  const running = new Set<Step>();
  const clear = () => out.isTTY && out.write('\r\x1b[2K');
  const show = () => {
    const line = `  ${[...running].map(lineOf).join(', ')}`;
    out.write(`\r\x1b[2K${line.slice(0, (out.columns ?? 100) - 1)}`);
  };
  return {
    note: (sentence) => out.write(`    ${sentence}\n`),
    async step(title, work) {
      const step: Step = { title, startedAt: clock(), detail: '' };
      running.add(step);
      let ticks = 0;
      const timer = setInterval(() => {
        ticks += 1;
        if (out.isTTY) show();
        else if (ticks === 1 || ticks % 10 === 0) out.write(`  ${lineOf(step)}\n`);
      }, 1000);
      let sign = '✗';
      try {
        const result = await work((text) => {
          step.detail = text;
        });
        sign = '✓';
        return result;
      } finally {
        clearInterval(timer);
        running.delete(step);
        clear();
        const taken = sign === '✓' && ticks > 0 ? ` (${secondsOf(step)} s)` : '';
        out.write(`  ${sign} ${title}${taken}\n`);
      }
    },
  };
}
