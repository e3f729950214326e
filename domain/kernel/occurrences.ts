import { isSimulated } from './simulated.js';

/** An occurrence for the metrics and logs of the operator. It contains codes only. */
export type Occurrence =
  | { kind: 'sms_failed' | 'email_failed'; workspaceId: number; reason: string }
  | { kind: 'rule_disabled'; workspaceId: number; reason: string }
  /** An archive of a person's data was given up. */
  | { kind: 'export_failed'; workspaceId: number; reason: string }
  /** An import of members was given up. */
  | { kind: 'import_failed'; workspaceId: number; reason: string }
  /** A received mail waits for a person to look at it. */
  | { kind: 'email_held'; workspaceId: number; reason: string }
  /** There was no room for an attachment of a received mail. */
  | { kind: 'attachment_not_kept'; workspaceId: number; reason: string }
  /** The carrier's bill of a call differs from what the service reckons. */
  | { kind: 'call_bill_differs'; workspaceId: number; reason: string }
  /** A member was not notified that a rule was disabled or that chats wait, or there was no recipient (`nobody_to_tell`). */
  | { kind: 'notice_not_sent'; workspaceId: number; reason: string };

type Observer = (happening: Occurrence) => void;
const observers = new Set<Observer>();

/** @returns a function that unsubscribes */
export function observeOccurrences(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Reports an occurrence during a transaction; it is reported even if the transaction is rolled back later. */
export function reportOccurrence(happening: Occurrence): void {
  if (isSimulated()) return;
  for (const observer of observers) observer(happening);
}
