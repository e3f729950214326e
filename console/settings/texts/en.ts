/** The words of the settings in English. The other languages have the same keys. */
export const en = {
  title: 'Settings',
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
  },

  // Forms
  save: 'Save',
  saving: 'Saving …',
  saved: 'Saved.',
  undo: 'Undo',
  changedMeanwhile:
    'Somebody else has changed this meanwhile. Save puts yours in its place; Undo shows what is there now.',
  readOnly: 'Your role may read this, and not change it.',

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
  postalAddressHint: 'In one line. It stands below emails that can be unsubscribed from, as laws want.',
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
  heldSince: 'Everything is held since',
  heldBy: 'By',
  heldUntil: 'Until',
  untilEnded: 'somebody ends it',
  notHeld: 'Nothing is held.',
  resume: 'End the hold',
  resumeHelp: 'What waits goes on by and by: answers, reminders, messages and calls, some hundreds a second.',
  changeHold: 'Change the hold',
};

export type SettingsTexts = typeof en;
