/** The words of numbers and inboxes in English. The other languages have the same keys. */
export const en = {
  name: 'Name',
  nameHint: 'Colleagues see it, and callers where a text names the number.',
  state: 'State',
  workflow: 'Workflow',
  workflowHint: 'It starts for people who write or call in.',
  noWorkflow: 'none',
  assistant: 'Assistant',
  usualAssistant: 'that of the workflow, or the usual one',

  // Numbers
  number: 'Number',
  usedFor: 'Used for',
  uses: { smsEnabled: 'SMS', mmsEnabled: 'Pictures (MMS)', voiceEnabled: 'Calls' },
  mmsHint: 'Carriers have MMS in few countries.',
  noNumbers: 'There is no number yet. Get one to text and call with members.',
  noNumbersYet: 'There is no number yet.',
  getNumber: 'Get a number',
  getNumberHelp:
    'The number belongs to this workspace until it is released. What it costs, the operator of the service says.',
  chooseNumber: 'Choose …',
  reserved: 'reserved for this workspace',
  noneAvailable: 'No number is free. Ask the operator of the service for one.',
  numberGone: 'There is no such number. It may have been released.',
  calls: 'Calls',
  asWorkspace: 'as the workspace says',
  greeting: 'Greeting',
  greetingHint:
    'What callers hear first, word by word; {{ workspace.name }} and {{ phone_number.name }} can stand in it. Empty: the assistant greets in its own words.',
  segmentsPerSecond: 'SMS in a second',
  segmentsHint: 'As many as the carrier allows of those that answer nobody. Empty: 1.',
  release: 'Release',
  releaseHelp:
    '{number} returns to the operator of the service, and another workspace may get it. Nobody reaches you by it any more.',

  // Inboxes
  address: 'Address',
  addressHint:
    'At the domain of the service, or of your own with its mail server. It cannot be changed later.',
  fromName: 'Name of the sender',
  fromNameHint: 'As people see it.',
  enabled: 'Active',
  disabled: 'Disabled',
  newInbox: 'New inbox',
  create: 'Create',
  noInboxes: 'There is no inbox yet. With one, members are written to and answered by email.',
  inboxGone: 'There is no such inbox. It may have been deleted.',
  inboxMade: 'The inbox is made.',
  toInbox: 'Its settings:',
  inboxEnabled: 'Emails are sent, and new ones begin chats',
  signature: 'Signature',
  signatureHint: 'Below each email, as Markdown.',
  authservId: 'Receiving mail server',
  authservIdHint:
    'With which its Authentication-Results begin, such as mx.example.com. Empty: no sender counts as proved.',
  sending: 'Sending',
  sentBy: 'Emails are sent',
  sentByHint: 'The service sends for addresses at its own domain only.',
  byService: 'by the service',
  byOwnServer: 'by a mail server of your own',
  host: 'Mail server',
  port: 'Port',
  security: 'Encryption',
  securities: { starttls: 'STARTTLS', tls: 'TLS from the beginning', none: 'none' },
  user: 'User',
  userHint: 'Empty: it asks for none.',
  password: 'Password',
  passwordHint: 'It is never shown. Empty: the one before, if nothing else is changed.',
  saveServer: 'Save the mail server',
  receiving: 'Receiving',
  handInHelp:
    'Have your mail server hand in what it gets: as a POST of the raw message, with the secret of the inbox.',
  handInAt: 'To',
  handInHeader: 'The secret stands in',
  secretOnce: 'This secret is shown only now. Put it into the mail server that hands in.',
  rotate: 'Renew the secret',
  rotateHelp: 'The new secret is shown once, and valid at once; the one before for one more day.',
  remove: 'Delete',
  removeHelp:
    'Nothing is sent from {address} or received there any more. An inbox that has chats can only be disabled.',
};

export type ChannelTexts = typeof en;
