import type { Actor } from '../kernel/actor.js';

/** The author of a tool call: the agent in its turn, or a colleague who sends as the assistant. */
export type Performer = {
  /** The author's member id: the assistant's or the colleague's. */
  memberId: number | null;
  inTurn: boolean;
} & ({ by: 'agent' } | { by: 'operator' /** Whose own rights decide what it may do. */; actor: Actor });
