/** What the carrier is told to do with a call, in order. Addresses are absolute; those that are asked get a POST. */
export type CallInstruction =
  /** Joins the call with a media socket, until that closes it; then the next instruction follows. */
  | { do: 'stream'; url: string; parameters: Record<string, string>; statusCallback?: string }
  /** Joins the call with a socket of text, until its session ends; then the address is asked what follows. */
  | { do: 'relay'; url: string; parameters: Record<string, string>; resultUrl: string; language?: string }
  | {
      do: 'dial';
      number: string;
      callerId?: string;
      ringSeconds?: number;
      maxSeconds?: number;
      /** Answers what the other phone hears before both are joined. */
      announceUrl?: string;
      resultUrl: string;
    }
  | { do: 'say'; text: string; language?: string }
  /** Says words until a key is pressed, and tells the address the key: nothing, if there was none for so long after the words. */
  | {
      do: 'ask_key';
      words: readonly { text: string; language: string }[];
      seconds: number;
      resultUrl: string;
    }
  | { do: 'pause'; seconds: number }
  /** Asks this address what follows. */
  | { do: 'redirect'; url: string }
  /** First and alone, for an incoming call. */
  | { do: 'reject'; reason: 'rejected' | 'busy' }
  | { do: 'hang_up' };
