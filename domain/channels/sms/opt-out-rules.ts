import { english } from './opt-out-rules/english.js';
import { finnish } from './opt-out-rules/finnish.js';
import { french } from './opt-out-rules/french.js';
import { german } from './opt-out-rules/german.js';
import type { OptOutRules } from './opt-out-rules/rules.js';
import { spanish } from './opt-out-rules/spanish.js';
import { swedish } from './opt-out-rules/swedish.js';
import { thai } from './opt-out-rules/thai.js';

export const optOutRules: readonly OptOutRules[] = [english, finnish, swedish, german, french, spanish, thai];

/** How people write in haste, or without umlauts and apostrophes: what it stands for. */
export const shortWritings: readonly [RegExp, string][] = [
  [/\bun ?sub?s?c?r?i?be?(?=[ds]?\b)/gu, 'unsubscribe'],
  [/\bstp(?= \p{L}+ing\b)/gu, 'stop'],
  [/\bur\b/gu, 'your'],
  [/\b(k|m|h|aufh|l)oe(?=nn|cht|sch|r)/gu, '$1o'],
  [/\bmej\b/gu, 'mig'],
  [/\bj ?(?=veu|souhait)/gu, 'je '],
  [/\bm (?=env|ecri|app|adress|import|embet|harcel)/gu, 'm'],
  [/\bxf(?:a|avor)\b/gu, 'por favor'],
];

/** The channel that a sentence names, in any of the languages. */
export const namedChannels = {
  calls:
    /\b(?:calls?|called|calling|phone ?calls?|phoning|phone (?:me|us)|ring(?:a|er|ing|t)? (?:me|us|mig|oss|upp|till)|ringa|robocalls?|soita|soittako|soitt\w*|soittel\w*|soitatte|soitetaan|puhelu\w*|samtal\w*|uppringd|anruf\w*|anzurufen|angerufen|ruf(?:e|t|en)?|appel\w*|mappel\w*|telephon\w*|llam\w+)\b|โทร(?!ศัพท์ของ)/u,
  email:
    /\b(?:e ?mails?|e ?mailing|e ?mailed|newsletters?|sahkopost\w*|meil(?:i|ej|it|aa|atko)\w*|uutiskirj\w*|mejl\w*|mails?|mailen|maila|mailt|epost|e post|nyhetsbrev|courriels?|infolettres?|correos?|boletin(?:es)?)\b|อีเมล|จดหมายข่าว/u,
  sms: /\b(?:texts?|texting|texted|txts?|txting|sms\w*|tekst\w*|textos?|texter|textez|messa|texta|simsen|simst|texten|textmeddelanden|textnachrichten?|tekstiviest\w*)\b|เอสเอ็มเอส/u,
  /** Of the channel that it is said on. */
  here: /\b(?:messag\w*|msgs?|viest\w*|meddelande\w*|nachricht\w*|mensaj\w*|notific\w*|notif\w*)\b|ข้อความ/u,
  any: /\b(?:contact\w*|kontakt\w*|yhteyt\w*|yhteydenot\w*|consent|einwilligung|consentement|consentimiento|samtycke|suostumu\w*|alone|rauhaan|ifred|i fred|in ruhe|tranquille|la paix|en paz|hor inte av|disturb|bother\w*)\b|ติดต่อ|ยินยอม/u,
} as const;

/** Another channel is wanted instead, which may stand in another sentence. */
export const otherWish =
  /\b(?:instead|rather|istallet|i stallet|hellre|stattdessen|lieber|sondern|plutot|a la place|mejor|sino|en vez|en lugar|mieluummin|sen sijaan|vaan)\b|แทน/u;
