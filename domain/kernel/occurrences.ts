/** What operators count and log, as it happens. Codes only. */
export type Occurrence =
  | { kind: 'sms_failed'; workspaceId: number; reason: string }
  | { kind: 'rule_disabled'; workspaceId: number; reason: string }
  /** Of a disabled rule, somebody is not told (or nobody: `nobody_to_tell`). */
  | { kind: 'notice_not_sent'; workspaceId: number; reason: string };

type Observer = (happening: Occurrence) => void;
const observers = new Set<Observer>();

/** Has `observer` told of all that happens in this process. @returns a function that ends it */
export function observeOccurrences(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Tells of what a transaction does; one that is rolled back may be told of as well. */
export function reportOccurrence(happening: Occurrence): void {
  for (const observer of observers) observer(happening);
}
