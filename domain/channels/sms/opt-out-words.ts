import { type OptOutChannel, optOutChannels } from '../../../db/channels/opt-out-proofs.js';
import { findKeyword } from './keywords.js';
import type { OptOutRules } from './opt-out-rules/rules.js';
import { namedChannels, optOutRules, otherWish, shortWritings } from './opt-out-rules.js';

/** What somebody says who wants no more messages or calls. */
export interface OptOutWords {
  channels: readonly OptOutChannel[];
  /** False: it may be meant, and a person decides. */
  isClear: boolean;
}

/** In a longer text, other things are said as well, or quoted. */
const maxClear = 600;
const maxTextLength = 5_000;
const maxAtOnce = 300;
const overlap = 100;

/**
 * Reads whether a message says in words, in any of the languages of the service, that its sender wants no more messages or
 * calls. No model is asked. What is not sure is for a person, as is a wish about the time or the topic of messages.
 * @param heardOn the channel that is meant where the words name none
 */
export function findOptOutWords(text: string, heardOn: 'sms' | 'email'): OptOutWords | null {
  // By email, a word that carriers act on may answer a question.
  if (heardOn === 'email' && findKeyword(text) === 'stop') {
    return { channels: [heardOn], isClear: plain(text).includes(' ') };
  }
  const sentences = sentencesOf(text.slice(0, maxTextLength));
  const found = sentences.flatMap((sentence) => {
    const meant = meaningOf(sentence);
    return meant === null ? [] : [{ sentence, meant }];
  });
  if (found.length === 0) return null;
  const clear = found.filter(({ meant }) => meant === 'clear');
  const isClear = clear.length > 0 && text.length <= maxClear && !otherWish.test(plain(text));
  const channels = new Set(
    (isClear ? clear : found).flatMap(({ sentence }) => channelsIn(sentence.words, heardOn)),
  );
  return { channels: optOutChannels.filter((channel) => channels.has(channel)), isClear };
}

interface Sentence {
  words: string;
  /** What follows its commas: it may opt out by itself. */
  clauses: readonly string[];
  isQuestion: boolean;
}

function sentencesOf(text: string): Sentence[] {
  return text
    .split(/(?<=[.!?…？！。;:])\s+|[\r\n\u2028]+/u)
    .flatMap((part) => {
      const isQuestion = /[?？]/u.test(part);
      const clauses = part
        .slice(0, maxAtOnce)
        .split(/[,，、]/u)
        .slice(1)
        .map(plain)
        .filter(isMore);
      return windowsOf(plain(part)).map((words) => ({ words, clauses, isQuestion }));
    })
    .filter(({ words }) => words !== '');
}

/** A word or two behind a comma say too little. */
const isMore = (clause: string): boolean => clause.split(' ').length > 2;

/** A sentence without an end is read in parts that overlap, so that what it takes grows with its length alone. */
function windowsOf(words: string): string[] {
  const parts = [words.slice(0, maxAtOnce)];
  for (let at = maxAtOnce - overlap; at + overlap < words.length; at += maxAtOnce - overlap) {
    parts.push(words.slice(at, at + maxAtOnce));
  }
  return parts;
}

/** Lower case, without accents of Latin letters, apostrophes, invisible signs and punctuation, with single blanks; short forms in full. */
function plain(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/ß/gu, 'ss')
    .replace(/œ/gu, 'oe')
    .normalize('NFC')
    .replace(/[\p{Cf}'’‘`´]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return shortWritings.reduce((written, [short, full]) => written.replace(short, full), words);
}

function meaningOf(sentence: Sentence): 'clear' | 'unclear' | null {
  const meanings = optOutRules.map((rules) => meaningIn(rules, sentence));
  if (meanings.includes('clear')) return 'clear';
  return meanings.includes('unclear') ? 'unclear' : null;
}

function meaningIn(rules: OptOutRules, { words, clauses, isQuestion }: Sentence): 'clear' | 'unclear' | null {
  const matches = (some: readonly RegExp[]) => some.some((one) => one.test(words));
  const never = matches(rules.never);
  const says =
    !never && rules.says.some((one) => one.test(words) || clauses.some((clause) => one.test(clause)));
  if (!says) {
    const hasBoth = rules.both.every((one) => one.test(words)) && !never;
    return hasBoth || matches(rules.hints) ? 'unclear' : null;
  }
  if (matches(rules.doubts)) return 'unclear';
  return isQuestion && !rules.requests.test(words) ? 'unclear' : 'clear';
}

function channelsIn(words: string, heardOn: 'sms' | 'email'): readonly OptOutChannel[] {
  const named = optOutChannels.filter(
    (channel) =>
      namedChannels[channel].test(words) || (channel === heardOn && namedChannels.here.test(words)),
  );
  if (namedChannels.any.test(words) && named.length === 0) return optOutChannels;
  return named.length === 0 ? [heardOn] : named;
}
