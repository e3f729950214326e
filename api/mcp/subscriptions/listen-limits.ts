import { OpenCounts } from '../../../domain/conversations/chat-events/live-chats.js';
import type { Actor } from '../../../domain/kernel/actor.js';

/** Each stream is asked for its access again and again: this bounds what one client, and one workspace, make that cost. */
export const mostListening = { ofProcess: 2_000, ofWorkspace: 200, ofMember: 20, ofCredential: 10 };

type Listener = Pick<Actor, 'workspaceId' | 'memberId'> & { credential: Pick<Actor['credential'], 'id'> };

/** How many streams of notices are open in the process. */
export class ListenLimits {
  readonly #open = new OpenCounts();

  /** Counts one more. The returned function, called once, subtracts it again. @throws Unavailable `too_many_streams` */
  admit({ workspaceId, memberId, credential }: Listener): () => void {
    return this.#open.admit([
      ['all', mostListening.ofProcess],
      [`workspace ${workspaceId}`, mostListening.ofWorkspace],
      [`member ${memberId}`, mostListening.ofMember],
      [`credential ${credential.id}`, mostListening.ofCredential],
    ]);
  }
}
