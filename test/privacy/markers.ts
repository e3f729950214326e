/** Where something may be read besides the database and the answers to those who may see it. */
export type Place = 'log' | 'history' | 'problem';

/** Something planted, and by what it is recognised wherever it turns up. */
export interface Marker {
  value: string;
  /** Any of these gives it away: in any case of letters, as it is and in base64. */
  needles: readonly string[];
  /** Where it may stand all the same (decision 38). */
  allowedIn: readonly Place[];
}

const token = (name: string) => `zq${name.toLowerCase()}x`;
/** What people wrote, or who they are: nowhere. */
const text = (name: string, around: (word: string) => string = (word) => `Here is ${word}.`): Marker => ({
  value: around(token(name)),
  needles: [token(name)],
  allowedIn: [],
});
const email = (name: string) => text(name, (word) => `${word}@example.org`);
/** 555-0100 to 555-0199 is kept free for fiction; factories give away none with this area code. */
const phone = (last: number): Marker => ({
  value: `+141555501${last}`,
  needles: [`41555501${last}`, `415-555-01${last}`, `415) 555-01${last}`, `415 555 01${last}`],
  allowedIn: [],
});
const literal = (value: string): Marker => ({ value, needles: [value], allowedIn: [] });
const shown = (name: string, allowedIn: readonly Place[], around?: (word: string) => string): Marker => ({
  ...text(name, around),
  allowedIn,
});
const word = (itself: string) => itself;

/** A secret that is made while it goes: nowhere. */
export const secretMarker = literal;

export const markers = {
  // Members: who they are, and what they write.
  texterName: text('texterName'),
  texterEmail: email('texterEmail'),
  texterPhone: phone(12),
  texterBirth: literal('1931-07-23'),
  texterDescription: text('texterDescription'),
  texterExternalId: text('texterExternalId', word),
  strangerPhone: phone(14),
  refusedPhone: phone(15),
  keyedName: text('keyedName'),
  keyedAgain: text('keyedAgain'),
  labelOfMember: text('labelOfMember'),
  texterWords: text('texterWords'),
  strangerWords: text('strangerWords'),
  webWords: text('webWords'),
  unheardWords: text('unheardWords'),
  colleagueWords: text('colleagueWords'),
  wordsForLater: text('wordsForLater'),
  initialMessage: text('initialMessage'),
  emailSubject: text('emailSubject'),
  emailText: text('emailText'),
  mailSender: email('mailSender'),
  forgedSender: email('forgedSender'),
  mailSubject: text('mailSubject'),
  mailWords: text('mailWords'),
  quotedWords: text('quotedWords'),
  attachedName: text('attachedName', word),
  // Calls: who talks, what is said, and what is entered by keys.
  calleeName: text('calleeName'),
  calleePhone: phone(13),
  callerPhone: phone(10),
  transferPhone: phone(11),
  transferName: text('transferName', word),
  transferFacts: text('transferFacts'),
  spokenWords: text('spokenWords'),
  agentSpokenWords: text('agentSpokenWords'),
  pressedKeys: literal('8362719405'),
  chatTitle: text('chatTitle'),
  chatSummary: text('chatSummary'),
  fileName: text('fileName', word),
  fileTitle: text('fileTitle'),
  fileDescription: text('fileDescription'),
  fileExternalId: text('fileExternalId', word),
  fileChoicePrompt: text('fileChoicePrompt'),
  passageText: text('passageText'),
  folderName: text('folderName'),
  folderDescription: text('folderDescription'),
  fileLabelName: text('fileLabelName', word),
  fileLabelDescription: text('fileLabelDescription'),
  chatType: text('chatType', word),
  pausedReason: text('pausedReason'),
  cancelReason: text('cancelReason'),
  outcome: text('outcome'),
  outcomeReason: text('outcomeReason'),
  // What the model says and asks for.
  modelWords: text('modelWords'),
  webReply: text('webReply'),
  followUp: text('followUp'),
  sentBeside: text('sentBeside'),
  handoffReason: text('handoffReason'),
  toolValue: text('toolValue'),
  modelRefusal: text('modelRefusal'),
  // Records.
  recordText: text('recordText'),
  recordArea: text('recordArea'),
  recordEmail: email('recordEmail'),
  recordPhone: phone(17),
  recordUrl: text('recordUrl', (name) => `https://${name}.example.org/`),
  recordChoice: text('recordChoice', word),
  recordChoices: text('recordChoices', word),
  recordJson: text('recordJson'),
  recordNumber: literal('27182.818284'),
  recordInteger: literal('918273645'),
  recordDate: literal('1932-08-24'),
  recordDatetime: literal('1933-09-25T05:17:43'),
  recordExternalId: text('recordExternalId', word),
  retiredReason: text('retiredReason'),
  // Accounts and how they sign in.
  accountName: text('accountName'),
  accountEmail: email('accountEmail'),
  accountPhone: phone(18),
  accountPicture: text('accountPicture', word),
  accountCustomer: text('accountCustomer', word),
  accountCampaign: text('accountCampaign'),
  refusedEmail: email('refusedEmail'),
  unknownEmail: email('unknownEmail'),
  userAgent: text('userAgent', (name) => `Mozilla/5.0 (X11; Linux) ${name} Firefox/140.0`),
  signUpName: text('signUpName'),
  signUpEmail: email('signUpEmail'),
  signUpPhone: phone(19),
  signUpExternalId: text('signUpExternalId', word),
  signUpRecord: text('signUpRecord', word),
  // What goes wrong.
  idempotencyKey: text('idempotencyKey', word),
  /** Fits no field, and no place of an address. */
  refused: text('refused', word),
  /** The name of a field that there is not: a problem points to it. */
  unknownField: shown('unknownField', ['problem'], word),
  carrierField: text('carrierField', word),
  /** The database refuses to store it. */
  unstorable: text('unstorable', word),
  // Sites: what visitors write, and what the team writes for them.
  visitorWords: text('visitorWords'),
  visitorReply: text('visitorReply'),
  siteName: text('siteName'),
  siteTagLine: text('siteTagLine'),
  siteGreeting: text('siteGreeting'),
  siteDomain: text('siteDomain', word),
  pageTitle: text('pageTitle'),
  pageSlug: text('pageSlug', word),
  pageDescription: text('pageDescription'),
  pageWords: text('pageWords'),
  menuLabel: text('menuLabel'),
  // Configuration: written by the team.
  workspaceName: text('workspaceName'),
  roleName: text('roleName'),
  chatLabelName: text('chatLabelName', word),
  chatLabelDescription: text('chatLabelDescription'),
  templateName: text('templateName', word),
  templateShortcut: text('templateShortcut', word),
  templateText: text('templateText'),
  templateTranslation: text('templateTranslation'),
  numberName: text('numberName'),
  numberGreeting: text('numberGreeting'),
  closedText: text('closedText'),
  workspaceNumber: phone(16),
  inboxAddress: email('inboxAddress'),
  ownInboxAddress: email('ownInboxAddress'),
  inboxName: text('inboxName'),
  inboxSignature: text('inboxSignature'),
  authservId: text('authservId', word),
  smtpUser: text('smtpUser', word),
  smtpPassword: text('smtpPassword', word),
  mailAnswer: text('mailAnswer', word),
  receivingInbox: email('receivingInbox'),
  keyName: text('keyName'),
  ruleName: text('ruleName'),
  webhookUrl: text('webhookUrl', word),
  signingSecret: text('signingSecret', word),
  secretName: text('secretName', word),
  mcpServerName: text('mcpServerName', word),
  mcpServerUrl: text('mcpServerUrl', word),
  requestDescription: text('requestDescription'),
  requestArgument: text('requestArgument'),
  decisionComment: text('decisionComment'),
  receiverAnswer: text('receiverAnswer'),
  assistantName: text('assistantName'),
  instructions: text('instructions'),
  modelSetting: text('modelSetting'),
  dataTypeName: text('dataTypeName'),
  definitionDescription: text('definitionDescription'),
  revisionName: text('revisionName'),
  prompt: text('prompt', (name) => `Say "Welcome to ${name}."`),
  shortPrompt: text('shortPrompt'),
  choicePrompt: text('choicePrompt'),
  taskDescription: text('taskDescription'),
  messageText: text('messageText'),
  abilityCondition: text('abilityCondition'),
  condition: text('condition'),
  // The part of it that a refused request is explained by.
  fieldName: shown('fieldName', ['problem']),
  fieldSlug: shown('fieldSlug', ['problem'], word),
  fieldOption: shown('fieldOption', ['problem'], word),
  guard: shown('guard', ['problem']),
  // Names that operators are shown in the Temporal UI.
  heldReason: text('heldReason'),
  definitionName: shown('definitionName', ['history']),
  taskName: shown('taskName', ['history', 'problem']),
} as const satisfies Record<string, Marker>;

export type MarkerName = keyof typeof markers;

export const planted = (name: MarkerName): string => markers[name].value;
