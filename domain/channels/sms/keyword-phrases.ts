/**
 * What a message says that is nothing but a keyword, in the languages of the service: lower case, without accents, blanks
 * and punctuation, as `findKeyword` compares it. Words that also answer a usual question ("cancelar", "baja", "no") are
 * left out, except for those that carriers themselves act on.
 */
export const stopPhrases: ReadonlySet<string> = new Set(
  [
    // Carriers act on these by themselves.
    'stop, stopall, unsubscribe, end, quit, cancel, revoke, optout',
    'stop all, stop please, please stop, stop now, opt out, opt me out, please opt me out, i opt out, i want to opt out',
    'stop texting, stop texting me, stop messaging, stop messaging me, stop messages, stop sms, stop texts, stop sending',
    'stop sending me messages, stop sending me texts, no more messages, no more texts, no more sms, unsubscribe me',
    'please unsubscribe, please unsubscribe me, unsubscribe please, remove me, please remove me, take me off, take me off the list',
    'remove me from the list, remove my number, do not text me, dont text me, do not text me again, dont text me again',
    'do not contact me, dont contact me, do not message me, dont message me, quit texting me',
    // German
    'stopp, stopp bitte, bitte stoppen, stoppen, abmelden, bitte abmelden, abbestellen, bitte abbestellen, austragen, bitte austragen',
    'keine sms mehr, keine nachrichten mehr, bitte keine sms mehr, bitte keine nachrichten mehr, keine weiteren nachrichten',
    'ich möchte keine sms mehr, ich möchte keine nachrichten mehr, newsletter abbestellen, sms abbestellen, hört auf',
    // Danish, Norwegian, Swedish
    'afmeld, afmeld mig, frameld, frameld mig, ingen flere beskeder, ingen flere sms, stop tak, meld meg av, avmeld, avmeld meg',
    'avslutt, ingen flere meldinger, stopp takk, sluta, sluta skicka, avsluta, avregistrera, avregistrera mig, avanmäl mig',
    'inga fler sms, inga fler meddelanden, stopp tack, stoppa, avprenumerera',
    // Dutch
    'afmelden, meld mij af, uitschrijven, schrijf mij uit, stop aub, stoppen aub, geen berichten meer, geen sms meer',
    // Finnish
    'lopeta, lopettakaa, lopeta viestit, lopeta viestien lähetys, lopettakaa viestit, seis, stop kiitos, lopeta kiitos',
    'poista minut, poista minut listalta, poistakaa minut, en halua viestejä, en halua enää viestejä, ei enää viestejä',
    'älkää lähettäkö viestejä, älä lähetä viestejä, älkää lähettäkö enää viestejä, ei tekstiviestejä',
    // French
    'arrêt, arrêtez, arrêter, arrête, stop svp, stop sil vous plaît, désabonner, désabonnement, me désabonner, désabonnez moi',
    'désinscrire, désinscription, me désinscrire, désinscrivez moi, plus de sms, plus de messages, ne menvoyez plus de messages',
    'ne menvoyez plus de sms',
    // Spanish, Portuguese, Italian
    'parar, pare, paren, stop por favor, darme de baja, dar de baja, denme de baja, dame de baja, no más mensajes, no más sms',
    'no me envíen más mensajes, no me escriban más, dejen de escribirme, cancelar suscripción, desuscribir, desuscribirme',
    'sair, pare por favor, parem, descadastrar, me descadastre, cancelar inscrição, não quero mais mensagens, sem mais mensagens',
    'não enviem mais mensagens, basta, smettete, fermare, disiscrivimi, disiscrivetemi, annulla iscrizione, cancellami',
    'cancellatemi, niente più messaggi, niente più sms, non voglio più messaggi, stop per favore',
    // Polish
    'wypisz, wypisz mnie, wypisz mnie z listy, stop proszę, proszę przestać, nie chcę więcej wiadomości, nie wysyłajcie więcej wiadomości',
    'nie chcę więcej smsów',
    // Thai
    'หยุด, หยุดส่ง, หยุดส่งข้อความ, เลิกส่ง, เลิกรับ, เลิกรับข้อความ, ยกเลิกการรับข้อความ, ไม่ต้องส่งมาอีก, ไม่ต้องการรับข้อความ, ยกเลิกรับข้อความ',
  ]
    .flatMap((line) => line.split(','))
    .map(asCompared),
);

export const startPhrases: ReadonlySet<string> = new Set(
  [
    'start',
    'unstop',
    'un stop',
    'opt in',
    'opt me in',
    'resubscribe',
    'start please',
    'please start',
    'undo stop',
  ].map(asCompared),
);

export const helpPhrases: ReadonlySet<string> = new Set(['help'].map(asCompared));

/**
 * The text without what does not change its meaning: width, case, accents of Latin letters, invisible signs, blanks,
 * punctuation, emoji. Digits stay, so that "stop 2" is another text.
 */
export function asCompared(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .replace(/\p{Variation_Selector}/gu, '')
    .normalize('NFC');
}
