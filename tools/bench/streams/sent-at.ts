/** Milliseconds of the monotonic clock, which all processes of a machine share. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/** A message text that contains the time of sending. */
export function sentNow(): string {
  return `A sentence of a conversation, sent at ${now()}.`;
}

/** The time of sending in an event; undefined if the event has none. */
export function sentAt(event: string): number | undefined {
  const [, at] = /sent at (\d+(?:\.\d+)?)\./.exec(event) ?? [];
  return at === undefined ? undefined : Number(at);
}
