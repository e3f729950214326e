import type { Finding } from './findings.js';

/** Warns of calls that no number places: it can still be added, or another one lose its calls. */
export function checkCallingNumber(
  { phoneNumber }: { phoneNumber?: unknown },
  voiceNumbers: readonly string[],
  pointer: string,
): Finding[] {
  const code = 'unknown_phone_number';
  if (typeof phoneNumber === 'string') {
    if (voiceNumbers.includes(phoneNumber)) return [];
    const message = `the workspace has no number ${phoneNumber} that has calls`;
    return [{ pointer: `${pointer}/phoneNumber`, message, code }];
  }
  if (voiceNumbers.length > 0) return [];
  return [{ pointer, message: 'the workspace has no number that has calls', code }];
}
