export type SmsKeyword = 'stop' | 'start' | 'help';

const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'END', 'QUIT', 'CANCEL', 'REVOKE', 'OPTOUT'];

/**
 * Returns the keyword if the whole message is one, ignoring case and surrounding blanks; null otherwise. Only START
 * lifts an opt-out: carriers also offer YES, but people use it to answer questions.
 */
export function findKeyword(body: string): SmsKeyword | null {
  const word = body.trim().toUpperCase();
  if (stops.includes(word)) return 'stop';
  if (word === 'START') return 'start';
  return word === 'HELP' ? 'help' : null;
}
