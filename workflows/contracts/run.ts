export const taskQueues = {
  /** Workflow tasks and short database steps. */
  runs: 'runs',
  /** Model calls and tool calls. */
  turns: 'turns',
  /** Messages to members, and notices: carriers and mail servers may be slow. */
  deliveries: 'deliveries',
  /** Steps of calls, and login codes: a person waits on the line, or for the code. */
  urgent: 'urgent',
  /** Webhook deliveries: receivers may be slow. */
  webhooks: 'webhooks',
  /** Texts of files: a process for each, one at a time. */
  files: 'files',
  /** What takes seconds to minutes: received mail, media, imports, archives, erasures, waking of many runs, and passes. */
  jobs: 'jobs',
  /** Requests to sites that are crawled: they may be slow, and are asked at their pace. */
  crawls: 'crawls',
} as const;

/** Temporal hands out tasks of lower numbers first; within a number, workspaces take turns. Activities inherit it. */
export const priorities = {
  /** A person waits on the line, or for a code. */
  atOnce: 1,
  /** A person waits for an answer. */
  answer: 3,
  /** Begun for many, or later: nobody looks at the clock. */
  forMany: 5,
} as const;

/** What is said of a type of run, in one place. */
export interface RunDeclaration<Input> {
  /** The workflow id is this and the subject: the uuid of the row that the run belongs to. */
  idPrefix: string;
  /** The subject gets one run ever. Absent: one after the other. */
  once?: true;
  /** Of its workflow tasks; absent: `runs`. */
  taskQueue?: keyof typeof taskQueues;
  priority: keyof typeof priorities;
  /**
   * What Cancel in Temporal does. `ends`: what the run is for can be cancelled, is, and the run ends as cancelled. `goes_on`: it is
   * not heeded, because half of the work would be left to nobody
   * (docs/decisions/0098-a-cancelled-assignment-ends-its-run-as-cancelled.md).
   */
  onCancel: 'ends' | 'goes_on';
  /**
   * Which version of the code it stays with, where workers have versions. `PINNED`: that which it began with, as it ends within a
   * day. `AUTO_UPGRADE`: the current one, with its next task (docs/decisions/0081-deploys-by-worker-version.md).
   */
  versioning: 'PINNED' | 'AUTO_UPGRADE';
  /** What operators read: the summary also in the list of runs. Names of configuration may have any length, and any characters. */
  inWords(input: Input): { summary: string; details: string };
}

/** Declares a type of run. Its input holds ids, codes and names of configuration, never what a person wrote or who they are. */
export function run<Input>(declaration: RunDeclaration<Input>): RunDeclaration<Input> {
  return declaration;
}

export interface InWorkspace {
  workspaceId: number;
  workspaceUuid: string;
}

export interface ChatRef extends InWorkspace {
  chatId: number;
  memberId: number;
}
