/** What a step of a run finds to do next. Ids, counts, codes, states and names of configuration only. */

interface Waiting {
  kind: 'wait';
  /** When to look again by itself, in epoch milliseconds; absent: when poked. */
  until?: number;
}

export type AssignmentStep =
  | { kind: 'turn'; taskName: string; chatVersion: number }
  | (Waiting & { taskName: string; state: string })
  | { kind: 'concluded'; status: string };

export type ChatStep = { kind: 'turn'; chatVersion: number } | Waiting | { kind: 'idle' };

export type DeliveryStep =
  | { kind: 'send'; deliveryId: number }
  | { kind: 'resolve'; deliveryId: number }
  | (Waiting & { receipts: number })
  | { kind: 'idle' };

export type RoundResult =
  | { kind: 'replied' }
  | { kind: 'nothing_to_say' }
  | { kind: 'interrupted' }
  | { kind: 'tools'; toolCallIds: string[] };

export interface ToolOutcome {
  /** The task the agent stands in is no longer a matter of conversation: it says nothing more. */
  endsTurn: boolean;
}
