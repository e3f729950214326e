import type { Client } from '@temporalio/client';

export interface NotedRequest {
  method: 'start' | 'poke';
  workflowId: string;
  at: number;
}

/** A Temporal that notes what it is asked; with `answer` it takes its time, or fails. */
export class NotingTemporal {
  readonly requests: NotedRequest[] = [];
  readonly #inFlight = new Map<string, number>();
  /** Requests for one run at once. */
  maxInFlight = 0;
  answer: () => Promise<void> = async () => undefined;
  /** The attempt of the workflow task that waits for a worker; undefined: none does. */
  pendingAttempt: (workflowId: string) => number | undefined = () => undefined;

  get client(): Client {
    const note =
      (given: NotedRequest['method']) =>
      async (_type: unknown, options: { workflowId: string; workflowIdConflictPolicy?: string }) => {
        const { workflowId, workflowIdConflictPolicy } = options;
        // The poke of a run that has mostly ended is a start, which a running one would refuse.
        const method = workflowIdConflictPolicy === 'FAIL' ? 'poke' : given;
        this.requests.push({ method, workflowId, at: Date.now() });
        const now = (this.#inFlight.get(workflowId) ?? 0) + 1;
        this.#inFlight.set(workflowId, now);
        this.maxInFlight = Math.max(this.maxInFlight, now);
        try {
          await this.answer();
        } finally {
          this.#inFlight.set(workflowId, now - 1);
        }
      };
    return {
      withDeadline: (_deadline: unknown, work: () => Promise<unknown>) => work(),
      workflow: {
        start: note('start'),
        signalWithStart: note('poke'),
        getHandle: (workflowId: string) => ({
          describe: async () => {
            const attempt = this.pendingAttempt(workflowId);
            return { raw: attempt === undefined ? {} : { pendingWorkflowTask: { attempt } } };
          },
        }),
      },
    } as unknown as Client;
  }

  of(subject: string): string[] {
    return this.requests.filter(({ workflowId }) => workflowId.endsWith(subject)).map(({ method }) => method);
  }
}
