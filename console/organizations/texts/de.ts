import type { OrganizationTexts } from './en.js';

export const de: OrganizationTexts = {
  all: 'Organisationen',
  what: 'Eine Organisation ist eine Gruppe von Workspaces mit eigenen Einstellungen, etwa wie man sich anmeldet. Sie gibt keinen Zugang zu Workspaces.',
  none: 'Sie sind in keiner Organisation Mitglied.',
  gone: 'Sie sind in keiner solchen Organisation Mitglied',
  toJoin: 'Ich wurde dazu eingeladen',
  create: 'Neue Organisation',
  createNow: 'Anlegen',
  overview: 'Überblick',
  people: 'Personen',
  signIn: 'Anmeldung',
  audit: 'Protokoll',
  name: 'Name',
  saved: 'Gespeichert.',
  more: 'Und {count} weitere.',

  forAdmins: 'Diese Seite sehen Eigentümer und Admins.',
  forOwners: 'Diese Seite sehen Eigentümer.',

  youAre: {
    owner: 'Sie sind Eigentümer: Sie ändern Einstellungen, Rollen und Workspaces.',
    admin: 'Sie sind Admin: Sie laden ein und verwalten einfache Mitglieder.',
    member: 'Sie sind Mitglied. Eigentümer und Admins verwalten die Organisation.',
    none: 'Sie sehen die Organisation als Superuser.',
  },
  workspaces: 'Workspaces',
  noWorkspaces: 'Es ist noch kein Workspace darin.',
  putIn: 'Einen Workspace aufnehmen',
  putInHelp:
    'Wie man sich bei {organization} anmeldet, gilt dann auch für den Workspace. Zugang zu ihm bekommt dadurch niemand.',
  workspace: 'Workspace',
  choose: 'Auswählen …',
  takeOut: 'Herausnehmen',
  takeOutHelp:
    'Die Einstellungen von {organization} gelten nicht mehr für „{name}“. Im Workspace wird nichts gelöscht.',
  settings: 'Einstellungen',
  slug: 'Kurzname',
  slugHint:
    'Steht in Adressen, und man gibt ihn ein, um sich mit Ihrem Anbieter anzumelden: kleine Buchstaben, Ziffern und Bindestriche.',
  joinDomains: 'Domains, die beitreten dürfen',
  joinDomainsHint:
    'Eine je Zeile. Wer eine E-Mail-Adresse einer davon bewiesen hat, darf als Mitglied beitreten.',
  anyoneMayJoin: 'Alle, die angemeldet sind, dürfen als Mitglied beitreten',

  everybody: 'Alle',
  nobody: 'Niemand ist Mitglied.',
  nameless: 'Ohne Namen',
  email: 'E-Mail',
  role: 'Rolle',
  roleOf: 'Rolle von {name}',
  roles: { owner: 'Eigentümer', admin: 'Admin', member: 'Mitglied' },
  changeRole: 'Rolle ändern',
  changeRoleHelp:
    'Eigentümer ändern Einstellungen, Rollen und Workspaces. Admins laden ein und verwalten einfache Mitglieder. Zugang zu Workspaces gibt die Rolle nicht.',
  joinedBy: 'Beigetreten durch',
  ways: {
    founding: 'Gründung',
    invitation: 'Einladung',
    domain: 'Domain der Adresse',
    open: 'offen für alle',
    sso: 'Identitätsanbieter',
  },
  acts: 'Aktionen',
  disabled: 'Gesperrt',
  disable: 'Sperren',
  disableHelp:
    '{name} wird aus der Organisation abgemeldet und kann sich bei ihr nicht anmelden, bis die Sperre aufgehoben ist. Der Zugang zu Workspaces bleibt.',
  enable: 'Entsperren',
  enableHelp: '{name} kann sich wieder bei der Organisation anmelden, mit derselben Rolle.',
  remove: 'Entfernen',
  removeHelp:
    '{name} ist kein Mitglied der Organisation mehr und bleibt Mitglied ihrer Workspaces. Wer beitreten darf, kann zurückkommen: Sperren Sie, wer draußen bleiben soll.',
  removed: '{name} wurde entfernt.',
  invitations: 'Einladungen',
  noInvitations: 'Keine Einladung ist offen.',
  tell: 'Es wird nichts gesendet. Sagen Sie den Eingeladenen, sich anzumelden und hier beizutreten:',
  openUntil: 'Offen bis',
  invite: 'Jemanden einladen',
  inviteHelp:
    'Wer diese Adresse durch Anmeldung mit einem Code beweist, darf innerhalb von 30 Tagen beitreten. Es wird nichts gesendet: Sagen Sie es der Person.',
  inviteNow: 'Einladen',
  inviteAgain: 'Erneuern',
  withdraw: 'Zurückziehen',
  withdrawHelp: '{email} kann durch diese Einladung nicht mehr beitreten.',

  joinTitle: '{name} beitreten',
  joinHelp:
    'Wer eingeladen wurde oder eine Adresse einer zugelassenen Domain hat, wird Mitglied. Zugang zu Workspaces gibt das allein nicht.',
  joinAs: 'Sie sind angemeldet als {address}.',
  join: 'Beitreten',
  joinBySso: 'Mit dem Identitätsanbieter anmelden',

  ssoWhat:
    'Man meldet sich mit Ihrem Identitätsanbieter an; er spricht OpenID Connect mit Code Flow und PKCE.',
  forProvider: 'Was der Anbieter braucht',
  callback: 'Redirect URI',
  start: 'Wo man beginnt',
  provider: 'Ihr Anbieter',
  issuer: 'Issuer',
  issuerHint: 'Genau so, wie der Anbieter sich nennt, mit https://.',
  clientId: 'Client-Id',
  clientSecret: 'Client-Secret',
  secretNew: 'Wird verschlüsselt gespeichert und nie wieder gezeigt.',
  secretKept: 'Leer: Es bleibt. Mit anderem Issuer oder Client muss es neu geschrieben werden.',
  emailDomains: 'Domains von E-Mail-Adressen',
  emailDomainsHint:
    'Eine je Zeile: Nur wer so eine Adresse hat, kommt herein und wird zu den Mitgliedern, die sie haben. Leer: alle, die der Anbieter kennt.',
  removeProvider: 'Anbieter entfernen',
  removeProviderHelp: 'Niemand meldet sich mehr damit an. Sitzungen, die er begann, bleiben, bis sie enden.',
  linking: 'Ihr eigenes Konto',
  linkingWhat:
    'Wer sich bisher mit einem Code anmeldete, verknüpft das Konto einmal, um mit dem Anbieter als dieselbe Person hereinzukommen.',
  link: 'Mein Konto verknüpfen',
  linkHelp:
    'Wer den Anbieter betreibt, kann dann in dieser Organisation und ihren Workspaces als Sie handeln, mit allen Rechten, die Sie dort haben.',
  only: 'Nur mit dem Anbieter',
  onlyWhat:
    'Die Workspaces lassen sich für Codes, API-Schlüssel, Anwendungen und Support schließen, sodass man nur mit dem Anbieter hereinkommt. Setzen Sie zuerst den Pfad, geben Sie dem Netzbetreiber die neuen Adressen, und melden Sie sich mit dem Anbieter an.',
  onlyNow: 'In die Workspaces kommt man nur mit dem Anbieter.',
  publicPath: 'Pfad des Netzbetreibers',
  publicPathHint:
    'Ein Name Ihrer Wahl aus 8 bis 63 kleinen Buchstaben, Ziffern und Bindestrichen. Der Netzbetreiber ruft dann unter /api/v2/public/ und diesem Namen zurück.',
  savePath: 'Pfad speichern',
  beginOnly: 'Nur mit dem Anbieter einlassen',
  beginOnlyHelp:
    'API-Schlüssel, Codes, Mitglieder-Tokens, Anwendungen und Support öffnen die Workspaces ab jetzt nicht mehr.',
  endOnly: 'Wieder mit Codes und Schlüsseln einlassen',
  endOnlyHelp: 'Codes, API-Schlüssel und Anwendungen öffnen die Workspaces wieder.',
};
