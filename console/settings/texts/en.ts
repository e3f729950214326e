import { reasons } from '../../inbox/texts/reasons-en.js';

/** The words of the settings in English. The other languages have the same keys. */
export const en = {
  title: 'Settings',
  hidden: 'Your role may not see this section.',
  nothing: 'There is nothing here that your role may see.',

  // Names of the sections, and what each is for
  sections: {
    workspace: {
      name: 'Workspace',
      help: 'Name, language, time zone and addresses; stop everything for a while',
    },
    people: { name: 'People', help: 'Colleagues with their roles, sessions and tokens' },
    roles: { name: 'Roles', help: 'What each role may do' },
    assistants: {
      name: 'Assistants',
      help: 'Who answers where no colleague does, by which models and voices',
    },
    mcpServers: { name: 'MCP servers', help: 'Servers of others whose tools agents may use' },
    secrets: { name: 'Secrets', help: 'Values that requests of agents carry, and nobody sees' },
    hours: { name: 'Hours', help: 'When calls are taken, and when nobody is disturbed' },
    notices: { name: 'Notices', help: 'Who is told that chats wait for a person, and how' },
    calls: {
      name: 'Calls and texts',
      help: 'Recordings, how callers prove who they are, countries and bounds',
    },
    numbers: { name: 'Phone numbers', help: 'Get and release numbers; who answers on each, and when' },
    inboxes: { name: 'Inboxes', help: 'Email addresses: who answers there, and which server sends' },
    budget: { name: 'Budget', help: 'What assistants may use in a month, and what they have used' },
    retention: { name: 'Retention', help: 'How long chats, recordings, files and the audit log are kept' },
    labels: { name: 'Labels', help: 'Names and colours of the labels of members, chats and files' },
    audit: { name: 'Audit log', help: 'Who did what, and when' },
  },

  // Forms

  // The workspace
  name: 'Name',
  slug: 'Short name',
  slugHint: 'Of the workspace in addresses: small letters, digits and hyphens.',
  locale: 'Language',
  localeHint: 'Such as en-US. Members without a language of their own are written to in it.',
  timezone: 'Time zone',
  timezoneHint: 'Of opening hours, quiet hours, figures and the month of the budget.',
  country: 'Country',
  countryHint: 'Of phone numbers that are written without the code of their country.',
  postalAddress: 'Postal address',
  postalAddressHint: 'In one line. It stands below emails that can be unsubscribed from, as laws require.',
  programs: 'Web pages and programs',
  allowedOrigins: 'Pages that may call the workspace',
  allowedOriginsHint:
    'One in a line, such as https://app.example.com. Of the chat on your own web pages, for example.',
  requestHosts: 'Hosts that assistants may ask',
  requestHostsHint: 'One in a line, such as api.example.com. Assistants send requests nowhere else.',

  // The hold
  hold: 'Hold everything',
  holdHelp:
    'Assistants do not answer, and reminders, follow-ups, messages and calls wait, also those of colleagues. What members write is kept, and a colleague is asked to look. Everything goes on, once, when the hold ends.',
  holdReason: 'Why',
  holdReasonHint: 'For colleagues.',
  holdUntil: 'Until',
  holdUntilHint: 'Without a time, until somebody ends it.',
  holdChanged:
    'Somebody else has changed this meanwhile: what is there now is shown, and what you have written stays. Press the button again to send it.',
  heldSince: 'Everything is held since',
  heldBy: 'By',
  heldUntil: 'Until',
  untilEnded: 'somebody ends it',
  notHeld: 'Nothing is held.',
  resume: 'End the hold',
  resumeHelp: 'What waits goes on by and by: answers, reminders, messages and calls, some hundreds a second.',
  changeHold: 'Change the hold',

  // Lists
  add: 'Add',
  takeOut: 'Take out',

  // Hours
  zoneOfHours: 'By the clock of {zone}, the time zone of the workspace.',
  businessHours: 'Opening hours',
  businessHoursHelp: 'When incoming calls are taken on numbers that have no hours of their own.',
  callsAreTaken: 'Calls are taken',
  atAnyTime: 'at any time',
  inHours: 'in the hours below',
  from: 'From',
  to: 'Until',
  days: 'Beginning on',
  closed: 'closed',
  addHours: 'Add hours',
  removeHours: 'Remove {hours}',
  closedDates: 'Closed on',
  closedDatesHint: 'Holidays and other days on which no call is taken, whatever the day of the week.',
  outside: 'At other times',
  outsideClosed: 'callers hear that it is closed',
  outsideAgent: 'the assistant answers all the same',
  closedText: 'What callers hear then',
  closedTextHint:
    'In the language of the workspace; {{ workspace.name }} and {{ phone_number.name }} can stand in it. Empty: a usual sentence.',
  quietHours: 'Quiet hours',
  quietHoursHelp:
    'Assistants only answer in them: reminders, follow-ups and first messages wait until they end. By the clock of the member where it is known. What colleagues write is sent.',
  noQuietHours: 'none',
  withQuietHours: 'every day that is chosen below',

  // Notices
  noticesHelp: 'Where a chat begins to wait for a person, these people are told, without what was written.',
  whoIsTold: 'When a chat waits',
  nobodyIsTold: 'nobody is told',
  someAreTold: 'the people below are told',
  ways: 'How',
  waysHint: 'Email and SMS go to addresses that their owners have proved.',
  wayNames: { email: 'Email', sms: 'SMS', event: 'Event for webhooks' },
  toldRoles: 'Everybody with the role',
  toldRolesHint: 'Roles that may read chats; fifty people at most.',
  toldPeople: 'And these people',
  toldReasons: 'For these reasons',
  reasons,
  heldEmails: 'Also of emails that are held for a person, every four hours at most',
  everyMinutes: 'Minutes between two notices, at least',
  everyMinutesHint: 'For each person, however many chats wait.',
  sender: 'SMS are sent from',
  chooseNumber: 'Choose a number',
  queueUrl: 'Where people answer',
  queueUrlHint: 'An address of your own, beginning with https://. Empty: notices name no address.',

  // Calls and texts
  recordings: 'Recordings',
  recordCalls: 'Record calls, from the next one on',
  recordingConsent: 'The other side of a call',
  consentNotice: 'is told that it is recorded',
  consentAsk: 'is asked to agree by a key; who does not is not recorded',
  noticeHelp:
    'What it hears before: your own words, in the languages that you write here, else usual sentences.',
  noticeIn: 'What is said in {language}',
  questionIn: 'The question in {language}',
  questionHint: 'That the key 1 agrees, and any other does not. Empty: a usual sentence.',
  addLanguage: 'Add a language',
  removeLanguage: 'Remove {language}',
  identity: 'Who is on the phone',
  identityHelp:
    'Anybody can show any number. Until callers have proved who they are, the assistant reads them nothing that is stored.',
  proof: 'Callers prove who they are',
  proofImpossible: 'not at all: nothing is read to anybody',
  proofQuestions: 'by answers to questions',
  proofNone: 'without a proof: everything is read to everybody',
  proofNoneRisk: 'Whoever shows the number of a member hears what is stored about it.',
  questions: 'They are asked for',
  questionsHint: 'What is stored of the member is compared with the answers.',
  addQuestion: 'Add a question',
  ofMember: 'Member',
  memberFields: {
    name: 'Name',
    email: 'Email address',
    dateOfBirth: 'Date of birth',
    externalId: 'Customer number',
  },
  required: 'Answers that have to be right',
  triesPerCall: 'Tries in a call',
  triesPerDay: 'Tries of a member in a day',
  usually: 'Empty: {number}.',
  usual: { required: '2', triesPerCall: '3', triesPerDay: '6' },
  outreach: 'Where and how often',
  outreachHelp:
    'Who has written or waits for an answer is answered anywhere. Expensive numbers are never called or texted.',
  callCountries: 'Calls go to',
  smsCountries: 'New SMS go to',
  countryOfNumber: 'the country of the number that is used',
  theseCountries: 'these countries',
  noCountry: 'no country',
  countryFor: 'Countries: {what}',
  addCountry: 'Add a country',
  callsPerDay: 'Calls to one number in a day',
  workspaceCallsPerDay: 'Calls of the workspace in a day',
  smsPerDay: 'New SMS in a day',

  // Budget
  creditsUsed: 'Credits used',
  creditsReserved: 'Being used',
  creditsRemaining: 'Left this month',
  monthEnds: 'The next month begins',
  monthlyCredits: 'Credits in a month',
  monthlyCreditsHint: 'Empty: as many as assistants need.',
  extraUsage: 'Assistants go on when the budget of the month is used up',
  budgetHelp:
    'Otherwise they stop then, and hand their chats over. Admins are told at 80 % and at 100 %. Where the budget is raised, assistants go on within minutes.',
  mostUsed: 'Most of it in the chats with',
  nothingUsed: 'Nothing was used in this month.',
  member: 'Member',
  credits: 'Credits',
  modelCalls: 'Requests to models',
  moreFigures: 'By day, workflow and model: the figures',

  // Retention
  retentionHelp: 'In days. What is older is deleted each night, and cannot be brought back.',
  forever: 'never deleted',
  kept: {
    chatRetentionDays: 'Chats',
    recordingRetentionDays: 'Recordings of calls',
    fileRetentionDays: 'Private files',
    auditRetentionDays: 'Audit log',
  },
  keptHints: {
    chatRetentionDays:
      'After so many days without anything happening in it: messages, files that came with them, recordings and summaries. Not while an assignment in it is active.',
    recordingRetentionDays: 'Of calls that began so long ago. What was said stays in the chat as text.',
    fileRetentionDays: 'Without a change for so long, with all versions and links, unless a record has them.',
    auditRetentionDays: 'At least 30 days.',
  },
  deletesTonight: 'What is older than the shorter period is to be deleted tonight, for good.',
};

export type SettingsTexts = typeof en;
