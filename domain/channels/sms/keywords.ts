export type SmsKeyword = 'stop' | 'start' | 'help';

const keywords = new Map<string, SmsKeyword>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'END', 'QUIT', 'CANCEL', 'REVOKE', 'OPTOUT'].map(
    (word): [string, SmsKeyword] => [word, 'stop'],
  ),
  ['START', 'start'],
  ['HELP', 'help'],
]);

/**
 * Returns the keyword if the whole message is one, ignoring case and surrounding blanks; null otherwise. Only START
 * lifts an opt-out: carriers also offer YES, but people use it to answer questions.
 */
export function findKeyword(body: string): SmsKeyword | null {
  return keywords.get(body.trim().toUpperCase()) ?? null;
}
