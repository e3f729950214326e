import { asCompared, helpPhrases, startPhrases, stopPhrases } from './keyword-phrases.js';

export type SmsKeyword = 'stop' | 'start' | 'help';

/** Longer texts are no keyword; a phrase and a signature fit. */
const maxTextLength = 200;
/** What programs and people add below a message. Names and thanks are short, and no sentence. */
const belowSignature =
  /^(?:(?:--|—|––).*|(?:sent|get) (?:from|by|with|via|outlook).*|(?:gesendet|envoyé|enviado|inviato|verzonden|skickat|sendt|lähetetty|wysłane|ส่งจาก).*|(?:thanks|thank you|thx|danke|kiitos|merci|gracias|obrigad[oa]|grazie|tack|takk?|bedankt|dziękuję|ขอบคุณ(?:ครับ|ค่ะ)?)\p{P}*)$/iu;
const isName = (line: string): boolean =>
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*)(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}$/u.test(line);

/**
 * The keyword that the message is, in any of the service's languages; what stands in a sentence about something else is
 * none. START alone and its like lift an opt-out: people answer questions with carriers' YES.
 */
export function findKeyword(body: string): SmsKeyword | null {
  if (body.length > maxTextLength) return null;
  const [first = '', ...below] = body
    .split(/[\r\n\u2028]+/)
    .map((line) => line.trim())
    .filter((line) => asCompared(line) !== '' || /^(?:--|—|––)/.test(line));
  if (isSignature(below)) return keywordOf(first);
  return keywordOf(body);
}

function isSignature([first, ...more]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (!belowSignature.test(first) && !isName(first)) return false;
  return /^(?:--|—|––)/.test(first) || isSignature(more);
}

function keywordOf(text: string): SmsKeyword | null {
  if (text.includes('?')) return null;
  const compared = asCompared(text);
  if (stopPhrases.has(compared)) return 'stop';
  if (startPhrases.has(compared)) return 'start';
  return helpPhrases.has(compared) ? 'help' : null;
}
