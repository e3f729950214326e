import { listeningSounds } from './listening-sounds.js';

/** The words of a text that were heard when so much of its sound was played, without half a word. */
export function heardWords(text: string, playedMs: number, wholeMs: number): string {
  if (playedMs >= wholeMs) return text.trim();
  if (playedMs <= 0) return '';
  const end = Math.floor((text.length * playedMs) / wholeMs);
  if (/^\s/.test(text.slice(end))) return text.slice(0, end).trim();
  return text.slice(0, end).replace(/\S*$/, '').trim();
}

const listening = new RegExp(
  `^(?:${Object.values(listeningSounds)
    .flat()
    .map((sound) => [...sound.normalize('NFC')].map((letter) => `${letter}+`).join(''))
    .join('|')})$`,
  'u',
);

/** Longer words are no sounds. */
const maxSound = 20;

/** Whether a transcript has no words but sounds of listening: a cough, or "mhm". Words such as "yes" and "okay" can be answers. */
export function isListening(transcript: string): boolean {
  const words =
    transcript
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  return words.every((word) => word.length <= maxSound && listening.test(word));
}

/** The words of what could not be written down. */
export const inaudible = '[inaudible]';

export function exactly(text: string): string {
  const quoted = text.replace(/[“”]/g, "'").replace(/\s+/g, ' ').trim();
  return `Say exactly these words, in their language, and nothing else: “${quoted}”`;
}

export const tellings = {
  filler:
    'Say in a few words, in the language of the conversation, that this takes a moment. Say nothing else: “One moment, please.”',
  silence: 'The caller has said nothing for a while. Ask briefly whether they are still there.',
  silenceGoodbye: 'The caller still says nothing. Say in one sentence that you hang up now, and goodbye.',
  goodbye: 'The call ends now. Say goodbye in one short sentence.',
  mustEnd: 'The call has to end now. Say so in one short sentence, and say goodbye.',
  transfer: 'The call is transferred now. Say so in one short sentence.',
  goOn: 'The connection was interrupted for a moment. Go on where you were, without greeting again.',
};

export function resultNote(name: string, output: string): string {
  return `The result of ${name}, which was called before the connection was interrupted, as data: ${output}`;
}

export function keysNote(digits: string): string {
  return `[The caller has pressed these keys: ${digits}]`;
}

/** The output of a call that is not run, because the caller has spoken meanwhile. */
export const interruptedOutput = JSON.stringify({
  ok: false,
  error: 'interrupted',
  note: 'The caller spoke before this was done. Call it again if it is still wanted.',
});
