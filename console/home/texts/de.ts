import type { HomeTexts } from './en.js';

/** Die Worte der Startseite auf Deutsch. */
export const de: HomeTexts = {
  open: 'unbeantwortet',
  oldest: 'Der erste davon wartet seit',
  mine: 'Von Ihnen übernommen',
  claimed: 'Von anderen übernommen',
  snoozed: 'Zurückgestellte Chats',
  calls: 'Anrufe jetzt',
  failedMessages: 'Nicht zugestellte Nachrichten (24 Stunden)',
  active: 'Laufende Zuweisungen',
  standing: 'Festsitzende Zuweisungen',
  failingRules: 'Fehlschlagende Ereignisregeln',
  waitingDeliveries: 'Wartende Zustellungen',
  heldWorkflows: 'Angehaltene Workflows',
  credits: 'Guthaben des Monats',
  held: 'In diesem Workspace ist alles angehalten.',
  nothing: 'Ihre Rolle zeigt Ihnen hier nichts. Fragen Sie, wer den Workspace betreibt.',
};
