import type { SmsQuery } from './carrier.js';

/** A message as the carrier lists it; its time has whole seconds. */
type Listed = { body: string; dateCreated: Date };

/**
 * Chooses the message that an attempt resulted in, among those between its two numbers in its time, oldest first. The
 * list identifies an attempt by its text alone, which trial accounts and smart encoding change. So if several attempts
 * with the same text are open, each message goes to the attempt with the closest claim, and none to two.
 */
export function chooseCandidate<Candidate extends Listed>(
  candidates: readonly Candidate[],
  query: Omit<SmsQuery, 'from' | 'to'>,
): Candidate | undefined {
  const { body, claimedAt, claimsBefore = [], claimsAfter = [], soleAttempt = false } = query;
  const sameText = withText(candidates, body);
  if (sameText.length === 0) return soleAttempt && candidates.length === 1 ? candidates[0] : undefined;
  const claims = [...claimsBefore, claimedAt, ...claimsAfter];
  return assignToClaims(claims, sameText).get(claimsBefore.length);
}

function withText<Candidate extends Listed>(candidates: readonly Candidate[], body: string): Candidate[] {
  const exact = candidates.filter((listed) => listed.body === body);
  const plain = plainText(body);
  if (exact.length > 0 || plain === '') return exact;
  return candidates.filter((listed) => plainText(listed.body).endsWith(plain));
}

/** Messages or calls by index of their claim: the closest pair first, among equally close pairs the earlier one. */
export function assignToClaims<Candidate extends Pick<Listed, 'dateCreated'>>(
  claims: readonly Date[],
  listed: readonly Candidate[],
): Map<number, Candidate> {
  const pairs = claims.flatMap((claim, index) =>
    listed.map((one) => ({ index, one, seconds: secondsBetween(claim, one.dateCreated) })),
  );
  const assigned = new Map<number, Candidate>();
  const taken = new Set<Candidate>();
  for (const { index, one } of pairs.sort((pair, other) => pair.seconds - other.seconds)) {
    if (assigned.has(index) || taken.has(one)) continue;
    assigned.set(index, one);
    taken.add(one);
  }
  return assigned;
}

function secondsBetween(claim: Date, made: Date): number {
  return Math.abs(Math.floor(claim.getTime() / 1000) - Math.floor(made.getTime() / 1000));
}

/** Keeps letters and digits only, which no encoding changes. */
function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}
