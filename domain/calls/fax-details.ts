/**
 * The failure details of a call with a fax machine. A call that hears one is hung up, since the service takes part in no fax
 * protocol (T.30); the other codes are those of a carrier that receives faxes on a number that calls come to as well.
 */
const details = {
  t30_failed: 'fax_t30_failed',
  no_fax_tone: 'fax_no_tone',
  disconnected: 'fax_disconnected',
  timed_out: 'fax_timeout',
  no_pages: 'fax_no_pages',
} as const;

export type FaxDetail = (typeof details)[keyof typeof details];

/** Returns the detail for a receive code; a code that the service does not know is a failure of the protocol. */
export function faxDetailOf(code: string): FaxDetail {
  const known = code.toLowerCase().replace(/-/g, '_');
  return Object.hasOwn(details, known) ? details[known as keyof typeof details] : details.t30_failed;
}
