export type SmsKeyword = 'stop' | 'start' | 'help';

const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'END', 'QUIT', 'CANCEL', 'REVOKE', 'OPTOUT'];

/** The keyword that the whole message is. START alone lifts an opt-out: people answer questions with carriers' YES. */
export function findKeyword(body: string): SmsKeyword | null {
  const word = body.trim().toUpperCase();
  if (stops.includes(word)) return 'stop';
  if (word === 'START') return 'start';
  return word === 'HELP' ? 'help' : null;
}
