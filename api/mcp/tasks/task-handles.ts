import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import type { Actor } from '../../../domain/kernel/actor.js';
import { derivedKey } from '../../../domain/lib/encryption.js';

/** The durable thing that a task is: the run of a summary, an import, or a call. */
export type TaskThing =
  | { kind: 'summary'; chatId: number; requestUuid: string }
  | { kind: 'import'; requestUuid: string }
  | { kind: 'call'; callId: number };

/** What the id of a task says. */
export interface TaskRef {
  thing: TaskThing;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** How long a task can be asked for, from its creation. Calls take the longest, up to hours. */
export const taskTtlMs = 24 * 3_600_000;

interface Sealed extends TaskRef {
  /** Workspace and member for whom the task was begun. */
  owner: string;
}

/**
 * Makes and reads the ids of tasks: each is the id of a durable thing, sealed for its owner. So nothing is kept about tasks,
 * any process reads any id, and nobody can make one up. https://github.com/modelcontextprotocol/ext-tasks
 */
export class TaskHandles {
  readonly #codec: RequestStateCodec<Sealed>;

  /** @param secret from which the key of all processes is derived */
  constructor(secret: string) {
    const key = derivedKey(secret, 'ids of tasks');
    this.#codec = createRequestStateCodec<Sealed>({ key, ttlSeconds: taskTtlMs / 1_000 });
  }

  seal(actor: Actor, ref: TaskRef): Promise<string> {
    return this.#codec.mint({ ...ref, owner: ownerOf(actor) });
  }

  /** @returns undefined for an id that is made up, has expired, or is of somebody else */
  async open(actor: Actor, taskId: string): Promise<TaskRef | undefined> {
    try {
      const { owner, ...ref } = await this.#codec.verify(taskId, undefined as never);
      return owner === ownerOf(actor) ? ref : undefined;
    } catch {
      return undefined;
    }
  }
}

function ownerOf({ workspaceUuid, memberId }: Actor): string {
  return `${workspaceUuid} ${memberId}`;
}
