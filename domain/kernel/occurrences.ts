import { afterCommit } from '../../db/after-commit.js';
import type { Tx } from '../../db/tx.js';

/** An occurrence for the metrics and logs of the operator. It contains codes only. */
type Happening =
  | { kind: 'sms_failed' | 'email_failed'; reason: string }
  | { kind: 'rule_disabled'; reason: string }
  /** An archive of a person's data was given up. */
  | { kind: 'export_failed'; reason: string }
  /** An import of members was given up. */
  | { kind: 'import_failed'; reason: string }
  /** A received mail waits for a person to look at it. */
  | { kind: 'email_held'; reason: string }
  /** There was no room for an attachment of a received mail. */
  | { kind: 'attachment_not_kept'; reason: string }
  /** The carrier's bill of a call differs from what the service reckons. */
  | { kind: 'call_bill_differs'; reason: string }
  /** A member was not notified that a rule was disabled or that chats wait, or there was no recipient (`nobody_to_tell`). */
  | { kind: 'notice_not_sent'; reason: string };

export type Occurrence = Happening & { workspaceId: number };

type Observer = (happening: Occurrence) => void;
const observers = new Set<Observer>();

/** @returns a function that unsubscribes */
export function observeOccurrences(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Reports an occurrence once the transaction has committed. */
export function reportOccurrence(tx: Tx, happening: Happening): void {
  const { workspaceId } = tx;
  afterCommit(tx, () => {
    for (const observer of observers) observer({ ...happening, workspaceId });
  });
}
