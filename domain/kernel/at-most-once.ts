/** The outcome of an act that is performed at most once (docs/decisions/0070-one-machine-for-acts-done-once.md). */
export type ActOutcome<Result> =
  | { kind: 'done'; result: Result }
  /** `reason`: the provider and its `code`, such as `mail_550`. */
  | { kind: 'refused'; reason: string; code: string }
  | { kind: 'unknown'; code: string }
  /** Certainly not performed; the attempt counts unless the provider did not process the request at all. */
  | { kind: 'released'; counts: boolean };

/** An attempt recognizes its own claim by the token, even if the response to the commit of the claim was lost. */
export function isClaimedByAnother(
  { claimedAt, claimToken }: { claimedAt: Date | null; claimToken: string | null },
  token: string,
): boolean {
  return claimedAt !== null && claimToken !== token;
}

/** The columns of a claimed attempt that its outcome changes. */
interface ClaimChanges {
  claimedAt?: null;
  claimToken?: null;
  sentAt?: Date;
  failureReason?: string;
}

/** Returns what the outcome of a single attempt changes in the row that it was claimed in. */
export function changesOfOutcome(outcome: ActOutcome<unknown>, now: Date): ClaimChanges {
  switch (outcome.kind) {
    case 'done':
      return { sentAt: now };
    case 'released':
      return { claimedAt: null, claimToken: null };
    case 'unknown':
      return { failureReason: 'unknown_outcome' };
    case 'refused':
      return { failureReason: outcome.reason };
  }
}
