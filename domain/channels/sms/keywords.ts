export type SmsKeyword = 'stop' | 'start' | 'help';

const keywords = new Map<string, SmsKeyword>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'END', 'QUIT', 'CANCEL', 'REVOKE', 'OPTOUT'].map(
    (word): [string, SmsKeyword] => [word, 'stop'],
  ),
  ['START', 'start'],
  ['HELP', 'help'],
]);

/**
 * The keyword that a whole message is, trimmed and in any case; a word within a sentence is none.
 *
 * Only START lifts an opt-out. YES, which carriers offer too, is an answer people give to questions.
 */
export function findKeyword(body: string): SmsKeyword | null {
  return keywords.get(body.trim().toUpperCase()) ?? null;
}
