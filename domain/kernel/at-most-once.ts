/**
 * The outcome of an act that is performed at most once (docs/decisions/0070-one-machine-for-acts-done-once.md).
 *
 * `released`: the act was certainly not performed and may be retried. `counts` is false if the provider did not process
 * the request at all; the attempt is then not counted.
 */
export type ActOutcome<Result> =
  | { kind: 'done'; result: Result }
  /**
   * `reason`: a code prefixed with the name of the provider, such as `mail_550`; `code`: the code of the provider
   * itself.
   */
  | { kind: 'refused'; reason: string; code: string }
  | { kind: 'unknown'; code: string }
  | { kind: 'released'; counts: boolean };

/** The columns that identify a claim. */
interface Claimable {
  claimedAt: Date | null;
  claimToken: string | null;
}

/**
 * Whether another attempt holds the claim. An attempt recognizes its own claim by the token, even if the response to
 * the commit of the claim was lost.
 */
export function isClaimedByAnother({ claimedAt, claimToken }: Claimable, token: string): boolean {
  return claimedAt !== null && claimToken !== token;
}
