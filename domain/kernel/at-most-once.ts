/**
 * What became of an act that is done at most once (docs/decisions/0070-one-machine-for-acts-done-once.md).
 *
 * `released`: it certainly was not done, and may be tried again. Where the provider did not look at it at all, the
 * attempt does not count.
 */
export type ActOutcome<Result> =
  | { kind: 'done'; result: Result }
  /** `reason`: a code with the name of the provider, such as `mail_550`; `code`: the provider's own. */
  | { kind: 'refused'; reason: string; code: string }
  | { kind: 'unknown'; code: string }
  | { kind: 'released'; counts: boolean };

/** The columns by which a claim is recognised. */
interface Claimable {
  claimedAt: Date | null;
  claimToken: string | null;
}

/** Whether somebody else made the claim that stands. One's own is found again where the answer to its commit was lost. */
export function isClaimedByAnother({ claimedAt, claimToken }: Claimable, token: string): boolean {
  return claimedAt !== null && claimToken !== token;
}
