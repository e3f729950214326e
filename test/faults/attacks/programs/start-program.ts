import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endsWithTestProcess } from '../../../support/run/ends-with-test-process.js';

/** A program of `serveQuestions` in a process of its own. */
export interface Program<Question, Answer> {
  /** One question at a time. @throws what went wrong there */
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts one. It has an event loop of its own, so that what it measures or sends waits for nobody here. */
export function startProgram<Question extends object, Answer>(file: URL): Program<Question, Answer> {
  const child = endsWithTestProcess(fork(fileURLToPath(file), { execArgv: ['--import', 'tsx'] }));
  return {
    async ask(question) {
      const ended = new AbortController();
      const end = once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${file.pathname} ended`);
      });
      const answered = once(child, 'message', { signal: ended.signal });
      child.send(question);
      try {
        const [told] = await Promise.race([answered, end]);
        if ('error' in told) throw new Error(told.error);
        return told.answer;
      } finally {
        answered.catch(() => undefined);
        end.catch(() => undefined);
        ended.abort();
      }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
