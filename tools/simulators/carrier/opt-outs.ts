const STOP = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const START = new Set(['START', 'YES', 'UNSTOP']);
const HELP = new Set(['HELP', 'INFO']);

export type OptOutType = 'STOP' | 'START' | 'HELP';

const ANSWERS: Record<OptOutType, string> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  START:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
  HELP: 'Reply STOP to unsubscribe.',
};

/** The handsets that have opted out, by sender. */
export class OptOuts {
  readonly #blocked = new Set<string>();

  /** The keyword of a text; it counts only if it is the whole text. */
  static typeOf(body: string): OptOutType | undefined {
    const word = body.trim().toUpperCase();
    if (STOP.has(word)) return 'STOP';
    if (START.has(word)) return 'START';
    return HELP.has(word) ? 'HELP' : undefined;
  }

  apply(type: OptOutType, handset: string, number: string): string {
    if (type === 'STOP') this.#blocked.add(`${handset} ${number}`);
    if (type === 'START') this.#blocked.delete(`${handset} ${number}`);
    return ANSWERS[type];
  }

  blocks(handset: string, number: string): boolean {
    return this.#blocked.has(`${handset} ${number}`);
  }
}
