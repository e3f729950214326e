/** The words of the chat, by language. */

const en = {
  open: 'Chat',
  close: 'Close the chat',
  title: 'Chat with {site}',
  log: 'Messages',
  you: 'You',
  agent: 'Assistant',
  person: 'Team',
  write: 'Your message',
  send: 'Send',
  attach: 'Attach files',
  attachLater: 'Files can be sent after the first message',
  remove: 'Remove {name}',
  typing: 'An answer is being written …',
  waiting: 'A person of the team will answer here.',
  failed: 'Not sent.',
  again: 'Send again',
  offline: 'No connection. The chat goes on by itself.',
  tooMuch: 'Too many messages at the moment. Please try again in {time}.',
  seconds: '{n} seconds',
  minutes: '{n} minutes',
  hours: '{n} hours',
  closed: 'This chat is closed at the moment.',
  ended: 'The chat has ended. Your next message begins a new one.',
  tooLarge: '{name} is larger than {size} MB.',
  wrongKind: '{name} is of a kind that cannot be sent here: PNG, JPG, GIF, PDF and text can.',
  tooMany: 'A message has at most {n} files.',
  uploadFailed: '{name} could not be sent.',
  done: 'This chat is done. Was it helpful?',
  helpful: 'Was it helpful? (optional)',
  yes: 'Yes',
  no: 'No',
  comment: 'What was good or bad about it? (optional)',
  rate: 'Send rating',
  thanks: 'Thank you.',
  newChat: 'Start a new chat',
  leave: 'End and forget this chat',
  join: 'Keep this chat in my account',
  joinAsk:
    'You become a member of {site}: its team sees the name and the addresses of your account, which this chat belongs to then.',
  joinYes: 'Sign up',
  joinNo: 'Not now',
  joined: 'You are a member now. This chat belongs to your account until you sign out.',
  joinedApart: 'You are a member. This chat stays in this browser only.',
  joinRefused: 'Nobody can sign up here at the moment.',
  leaveSure: 'This browser forgets the chat. End it?',
  leaveYes: 'End it',
  leaveNo: 'Keep it',
  news: 'New message',
  older: 'Show older messages',
};

/** @typedef {typeof en} Texts */

/** @type {Texts} */
const de = {
  open: 'Chat',
  close: 'Chat schließen',
  title: 'Chat mit {site}',
  log: 'Nachrichten',
  you: 'Sie',
  agent: 'Assistent',
  person: 'Team',
  write: 'Ihre Nachricht',
  send: 'Senden',
  attach: 'Dateien anhängen',
  attachLater: 'Dateien können nach der ersten Nachricht gesendet werden',
  remove: '{name} entfernen',
  typing: 'Eine Antwort wird geschrieben …',
  waiting: 'Jemand aus dem Team wird hier antworten.',
  failed: 'Nicht gesendet.',
  again: 'Erneut senden',
  offline: 'Keine Verbindung. Der Chat geht von selbst weiter.',
  tooMuch: 'Im Moment sind es zu viele Nachrichten. Bitte versuchen Sie es in {time} wieder.',
  seconds: '{n} Sekunden',
  minutes: '{n} Minuten',
  hours: '{n} Stunden',
  closed: 'Dieser Chat ist zurzeit geschlossen.',
  ended: 'Der Chat ist beendet. Ihre nächste Nachricht beginnt einen neuen.',
  tooLarge: '{name} ist größer als {size} MB.',
  wrongKind: '{name} kann hier nicht gesendet werden: möglich sind PNG, JPG, GIF, PDF und Text.',
  tooMany: 'Eine Nachricht hat höchstens {n} Dateien.',
  uploadFailed: '{name} konnte nicht gesendet werden.',
  done: 'Dieser Chat ist abgeschlossen. War er hilfreich?',
  helpful: 'War er hilfreich? (freiwillig)',
  yes: 'Ja',
  no: 'Nein',
  comment: 'Was war gut oder schlecht? (freiwillig)',
  rate: 'Bewertung senden',
  thanks: 'Vielen Dank.',
  newChat: 'Neuen Chat beginnen',
  leave: 'Chat beenden und vergessen',
  join: 'Chat in meinem Konto behalten',
  joinAsk:
    'Sie werden Mitglied von {site}: Das Team sieht Name und Adressen Ihres Kontos, zu dem der Chat dann gehört.',
  joinYes: 'Registrieren',
  joinNo: 'Jetzt nicht',
  joined: 'Sie sind jetzt Mitglied. Dieser Chat gehört zu Ihrem Konto, bis Sie sich abmelden.',
  joinedApart: 'Sie sind Mitglied. Dieser Chat bleibt nur in diesem Browser.',
  joinRefused: 'Zurzeit kann sich hier niemand registrieren.',
  leaveSure: 'Dieser Browser vergisst den Chat. Beenden?',
  leaveYes: 'Beenden',
  leaveNo: 'Behalten',
  news: 'Neue Nachricht',
  older: 'Ältere Nachrichten zeigen',
};

/** @type {Texts} */
const es = {
  open: 'Chat',
  close: 'Cerrar el chat',
  title: 'Chat con {site}',
  log: 'Mensajes',
  you: 'Usted',
  agent: 'Asistente',
  person: 'Equipo',
  write: 'Su mensaje',
  send: 'Enviar',
  attach: 'Adjuntar archivos',
  attachLater: 'Los archivos se pueden enviar después del primer mensaje',
  remove: 'Quitar {name}',
  typing: 'Se está escribiendo una respuesta …',
  waiting: 'Una persona del equipo responderá aquí.',
  failed: 'No enviado.',
  again: 'Enviar otra vez',
  offline: 'Sin conexión. El chat continuará por sí solo.',
  tooMuch: 'Hay demasiados mensajes en este momento. Inténtelo de nuevo en {time}.',
  seconds: '{n} segundos',
  minutes: '{n} minutos',
  hours: '{n} horas',
  closed: 'Este chat está cerrado en este momento.',
  ended: 'El chat ha terminado. Su próximo mensaje inicia uno nuevo.',
  tooLarge: '{name} ocupa más de {size} MB.',
  wrongKind: '{name} no se puede enviar aquí: se admiten PNG, JPG, GIF, PDF y texto.',
  tooMany: 'Un mensaje tiene como máximo {n} archivos.',
  uploadFailed: 'No se pudo enviar {name}.',
  done: 'Este chat ha concluido. ¿Le ha servido?',
  helpful: '¿Le ha servido? (opcional)',
  yes: 'Sí',
  no: 'No',
  comment: '¿Qué estuvo bien o mal? (opcional)',
  rate: 'Enviar valoración',
  thanks: 'Gracias.',
  newChat: 'Iniciar un chat nuevo',
  leave: 'Terminar y olvidar este chat',
  join: 'Guardar este chat en mi cuenta',
  joinAsk:
    'Se hace miembro de {site}: su equipo ve el nombre y las direcciones de su cuenta, a la que pertenecerá este chat.',
  joinYes: 'Registrarse',
  joinNo: 'Ahora no',
  joined: 'Ya es miembro. Este chat pertenece a su cuenta hasta que cierre la sesión.',
  joinedApart: 'Es miembro. Este chat queda solo en este navegador.',
  joinRefused: 'En este momento nadie puede registrarse aquí.',
  leaveSure: 'Este navegador olvidará el chat. ¿Terminarlo?',
  leaveYes: 'Terminar',
  leaveNo: 'Conservar',
  news: 'Mensaje nuevo',
  older: 'Mostrar mensajes anteriores',
};

/** @type {Record<string, Texts>} */
const languages = { en, de, es };

/**
 * The texts in the first of these languages that there are texts in.
 * @param {readonly string[]} locales such as `de-AT`
 */
export function textsFor(locales) {
  const language = locales.map((locale) => locale.slice(0, 2).toLowerCase()).find((one) => one in languages);
  return { language: language ?? 'en', texts: languages[language ?? 'en'] ?? en };
}

/** @param {string} text @param {Record<string, string | number>} values */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** How long to wait, in words. @param {Texts} texts @param {number} seconds */
export function duration(texts, seconds) {
  if (seconds <= 90) return filled(texts.seconds, { n: seconds });
  if (seconds <= 5_400) return filled(texts.minutes, { n: Math.ceil(seconds / 60) });
  return filled(texts.hours, { n: Math.ceil(seconds / 3_600) });
}
