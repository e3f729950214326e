/** The words of secrets in English. */
export const en = {
  title: 'Secrets',
  what: 'Values that requests of agents carry in a header, such as the key of a calendar. A value is written once: nobody sees it again, and agents never do.',
  none: 'There are no secrets yet. A workflow whose agent asks a web service that needs a key names a secret.',
  ownPages: 'Your own keys and applications have pages of their own:',
  keys: 'API keys',
  applications: 'applications',
  connections: 'connected applications',
  name: 'Name',
  nameHint: 'What requests of workflows call it, such as calendar_token. It stays.',
  hosts: 'Hosts',
  hostsHint: 'The only ones that it is sent to, one in a line, such as api.example.com.',
  value: 'Value',
  valueHint: 'Stored encrypted, and never shown again.',
  changed: 'Value written',
  state: 'State',
  refused: 'Refused since',
  newSecret: 'New secret',
  create: 'Create',
  replace: 'Replace',
  replaceHelp: '“{name}” has the new value from the next request on.',
  replaced: 'Replaced.',
  usedBy: 'Used by',
  notUsed: 'No workflow in use needs it.',
  remove: 'Delete',
  removeHelp:
    'Requests that need “{name}” are not made any more, and the agent is told so. The value is lost.',
};

export type SecretTexts = typeof en;
