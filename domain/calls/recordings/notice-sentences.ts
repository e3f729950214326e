/** What callers are told before a call is recorded, and asked, by language: where a workspace has no words of its own. */
export const noticeSentences: Readonly<Record<string, { text: string; question: string }>> = {
  da: {
    text: 'Denne samtale optages.',
    question: 'Tryk 1, hvis du er indforstået, eller en anden tast for at fortsætte uden optagelse.',
  },
  de: {
    text: 'Dieses Gespräch wird aufgezeichnet.',
    question:
      'Drücken Sie die 1, wenn Sie einverstanden sind, oder eine andere Taste, um ohne Aufzeichnung fortzufahren.',
  },
  en: {
    text: 'This call is recorded.',
    question: 'Press 1 if you agree, or any other key to go on without a recording.',
  },
  es: {
    text: 'Esta llamada se graba.',
    question: 'Pulse 1 si está de acuerdo, o cualquier otra tecla para continuar sin grabación.',
  },
  fi: {
    text: 'Tämä puhelu tallennetaan.',
    question: 'Paina 1, jos hyväksyt tallennuksen, tai muuta näppäintä jatkaaksesi ilman tallennusta.',
  },
  fr: {
    text: 'Cet appel est enregistré.',
    question:
      'Appuyez sur 1 si vous êtes d’accord, ou sur une autre touche pour continuer sans enregistrement.',
  },
  it: {
    text: 'Questa chiamata viene registrata.',
    question: 'Prema 1 se è d’accordo, o un altro tasto per continuare senza registrazione.',
  },
  nb: {
    text: 'Denne samtalen blir tatt opp.',
    question: 'Trykk 1 hvis du godtar det, eller en annen tast for å fortsette uten opptak.',
  },
  nl: {
    text: 'Dit gesprek wordt opgenomen.',
    question: 'Druk op 1 als u akkoord gaat, of op een andere toets om zonder opname verder te gaan.',
  },
  pl: {
    text: 'Ta rozmowa jest nagrywana.',
    question: 'Proszę nacisnąć 1, aby wyrazić zgodę, lub inny klawisz, aby kontynuować bez nagrywania.',
  },
  pt: {
    text: 'Esta chamada é gravada.',
    question: 'Prima 1 se concorda, ou outra tecla para continuar sem gravação.',
  },
  sv: {
    text: 'Det här samtalet spelas in.',
    question: 'Tryck 1 om du samtycker, eller en annan knapp för att fortsätta utan inspelning.',
  },
};
