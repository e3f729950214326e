/** Milliseconds by the clock that all processes of a machine share and nobody sets. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/** What a message says, from which its readers know when it was sent. */
export function sentNow(): string {
  return `A sentence of a conversation, sent at ${now()}.`;
}

/** When what an event tells of was sent; undefined for anything else. */
export function sentAt(event: string): number | undefined {
  const [, at] = /sent at (\d+(?:\.\d+)?)\./.exec(event) ?? [];
  return at === undefined ? undefined : Number(at);
}
