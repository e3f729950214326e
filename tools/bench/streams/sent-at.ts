/** Milliseconds of the monotonic clock, which all processes of a machine share. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

export function sentNow(): string {
  return `A sentence of a conversation, sent at ${now()}.`;
}

export function sentAt(event: string): number | undefined {
  const [, at] = /sent at (\d+(?:\.\d+)?)\./.exec(event) ?? [];
  return at === undefined ? undefined : Number(at);
}
