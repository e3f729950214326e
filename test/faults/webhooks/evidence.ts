import type { EventType } from '../../../domain/kernel/events/event-types.js';
import type { WebhookSummary } from '../../../tools/simulators/webhook-sink/sink.js';

/** What a storm over webhooks has left behind. */
export interface Evidence {
  /** Events whose transaction was answered. */
  acknowledged: number;
  /** Events whose transaction was not: it may have been committed or not. */
  unanswered: number;
  events: EventFact[];
  deliveries: DeliveryFact[];
  attempts: AttemptFact[];
  /** By the receiver's account. */
  received: ReceivedFact[];
  runs: RunFact[];
  /** What still waits for the relay, or was given up by it. */
  outbox: string[];
  /** Processes that ended without being killed by us. */
  deaths: string[];
  /** What went on when patience was over. */
  unrest?: string;
}

export interface EventFact {
  uuid: string;
  eventType: EventType;
  /** Of the body's bytes. */
  sha256: string;
}

export interface DeliveryFact {
  uuid: string;
  eventUuid: string;
  status: string;
  attemptCount: number;
}

export interface AttemptFact {
  eventUuid: string;
  number: number;
  finished: boolean;
  /** Null: there was no answer, or nobody was left to hear it. */
  statusCode: number | null;
}

/** The receivers are named as the types of their events. */
export type ReceivedFact = Omit<WebhookSummary, 'id'> & { eventUuid: string; receiver: string };

export type RunFact = { workflowId: string; status: string };
