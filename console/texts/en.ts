/** The words of the console in English. The other languages have the same keys. */
export const en = {
  skip: 'Skip to the content',
  navigation: 'Navigation',
  home: 'Home',
  inbox: 'Inbox',
  settings: 'Your account',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signInAgain: 'Sign in again',
  sessionEnded: 'Your session has ended. What you have written is kept in this browser.',
  notSignedIn: 'You are not signed in',
  otherWorkspace: 'All workspaces',
  workspaces: 'Your workspaces',
  toWorkspaces: 'To your workspaces',
  noWorkspaces: 'You are not a member of any workspace yet.',
  notFound: 'There is nothing at this address',
  failed: 'This page could not be shown',
  noConnection: 'There is no connection to the service.',
  notLive: 'No connection. What you see may be out of date; it goes on by itself.',
  tryAgain: 'Try again',
  request: 'Request',
  loading: 'Loading …',
  close: 'Close',
  cancel: 'Cancel',
  until: 'Until',
  yes: 'Yes',
  no: 'No',
  menu: 'Menu',
  more: 'Show more',
  selectShown: 'Choose the rows shown',
  channels: { 'web-chat': 'Web chat', 'phone-sms': 'SMS', 'phone-voice': 'Phone', email: 'Email' },
  waiting: 'waiting',

  // Names of the areas in the navigation
  areas: {
    figures: 'Figures',
    data: 'Data',
    webhooks: 'Webhooks',
    workflows: 'Workflows',
  },
};

export type Texts = typeof en;
