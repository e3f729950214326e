/** What the DNS says of the TXT records of a name. */
export type TextRecords =
  | { kind: 'found'; texts: string[] }
  /** There is no such name, or it has no TXT record. */
  | { kind: 'none' }
  /** No server gave an answer in time. */
  | { kind: 'unavailable' };

/** Looks up TXT records. Never throws, and takes some seconds at most. */
export interface DomainRecords {
  textsOf(name: string): Promise<TextRecords>;
}

export type ProofFailure = 'record_missing' | 'record_differs' | 'dns_unavailable';

/** The name of the record that proves a domain. */
export function recordNameOf(domain: string): string {
  return `_wes-challenge.${domain}`;
}

/** What the record has to say. */
export function recordValueOf(challenge: string): string {
  return `wes-site=${challenge}`;
}

/** Whether the records have a challenge; if not, why. */
export function proofIn(records: TextRecords, challenge: string): 'proved' | ProofFailure {
  if (records.kind === 'unavailable') return 'dns_unavailable';
  if (records.kind === 'none') return 'record_missing';
  const value = recordValueOf(challenge);
  return records.texts.some((text) => text.trim() === value) ? 'proved' : 'record_differs';
}
