/** The words of organizations in English. */
export const en = {
  all: 'Organizations',
  what: 'An organization is a group of workspaces with settings of its own, such as how people sign in. It gives no access to workspaces.',
  none: 'You are not a member of any organization.',
  gone: 'You are not a member of such an organization',
  toJoin: 'I was invited to it',
  create: 'New organization',
  createNow: 'Create',
  overview: 'Overview',
  people: 'People',
  signIn: 'Sign-in',
  audit: 'Audit log',
  name: 'Name',
  saved: 'Saved.',
  more: 'And {count} more.',

  forAdmins: 'Its owners and admins see this page.',
  forOwners: 'Its owners see this page.',

  // Overview
  youAre: {
    owner: 'You are an owner: you change settings, roles and workspaces.',
    admin: 'You are an admin: you invite, and manage plain members.',
    member: 'You are a member. Its owners and admins manage the organization.',
    none: 'You see the organization as a superuser.',
  },
  workspaces: 'Workspaces',
  noWorkspaces: 'There is no workspace in it yet.',
  putIn: 'Put a workspace into it',
  putInHelp:
    'How people sign in to {organization} then holds for the workspace too. Nobody gets access to it by this.',
  workspace: 'Workspace',
  choose: 'Choose …',
  takeOut: 'Take out',
  takeOutHelp:
    'The settings of {organization} do not hold for “{name}” any more. Nothing in the workspace is deleted.',
  settings: 'Settings',
  slug: 'Short name',
  slugHint:
    'In addresses, and what people type to sign in by your provider: small letters, digits and hyphens.',
  joinDomains: 'Domains that may join',
  joinDomainsHint: 'One in a line. Who has proved an email address of one of them may join as a member.',
  anyoneMayJoin: 'Everyone who is signed in may join as a member',

  // People
  everybody: 'Everybody',
  nobody: 'Nobody is a member.',
  nameless: 'No name',
  email: 'Email',
  role: 'Role',
  roleOf: 'Role of {name}',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  changeRole: 'Change the role',
  changeRoleHelp:
    'Owners change settings, roles and workspaces. Admins invite, and manage plain members. It gives no access to workspaces.',
  joinedBy: 'Joined through',
  ways: {
    founding: 'founding',
    invitation: 'invitation',
    domain: 'domain of the address',
    open: 'open to everyone',
    sso: 'identity provider',
  },
  acts: 'Actions',
  disabled: 'Disabled',
  disable: 'Disable',
  disableHelp:
    '{name} is signed out of the organization, and cannot sign in to it until enabled again. Access to workspaces stays.',
  enable: 'Enable',
  enableHelp: '{name} can sign in to the organization again, with the same role.',
  remove: 'Remove',
  removeHelp:
    '{name} is no member of the organization any more, and stays a member of its workspaces. Who may join can come back: disable who is to stay out.',
  removed: '{name} was removed.',
  invitations: 'Invitations',
  noInvitations: 'No invitation is open.',
  tell: 'Nothing is sent. Tell who is invited to sign in and join here:',
  openUntil: 'Open until',
  invite: 'Invite somebody',
  inviteHelp:
    'Who proves this address by signing in with a code may join within 30 days. Nothing is sent: tell the person.',
  inviteNow: 'Invite',
  inviteAgain: 'Renew',
  withdraw: 'Withdraw',
  withdrawHelp: '{email} cannot join by this invitation any more.',

  // Joining
  joinTitle: 'Join {name}',
  joinHelp:
    'Who was invited, or has an address of a domain that may join, becomes a member. This gives no access to workspaces by itself.',
  joinAs: 'You are signed in as {address}.',
  join: 'Join',
  joinBySso: 'Sign in by the identity provider',

  // Sign-in
  ssoWhat:
    'People sign in by your identity provider, which speaks OpenID Connect with the code flow and PKCE.',
  forProvider: 'What the provider needs',
  callback: 'Redirect URI',
  start: 'Where people begin',
  provider: 'Your provider',
  issuer: 'Issuer',
  issuerHint: 'Exactly as the provider calls itself, with https://.',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  secretNew: 'Stored encrypted, and never shown again.',
  secretKept: 'Empty: it stays as it is. With another issuer or client it has to be written again.',
  emailDomains: 'Domains of email addresses',
  emailDomainsHint:
    'One in a line: only people with such an address come in, and they become the members who have it. Empty: everybody whom the provider knows.',
  removeProvider: 'Remove the provider',
  removeProviderHelp: 'Nobody signs in by it any more. Sessions that it began stay until they end.',
  linking: 'Your own account',
  linkingWhat:
    'Who has signed in with a code so far links the account once, to come in by the provider as the same person.',
  link: 'Link my account',
  linkHelp:
    'Who runs the provider can then act as you in this organization and its workspaces, with every right that you have there.',
  only: 'Nothing but the provider',
  onlyWhat:
    'The workspaces can be closed to codes, API keys, applications and support, so that one comes in by the provider alone. First set the path, give the carrier the new addresses, and sign in by the provider.',
  onlyNow: 'The workspaces are entered by the provider alone.',
  publicPath: 'Path of the carrier',
  publicPathHint:
    'A name of your choice, of 8 to 63 small letters, digits and hyphens. The carrier then calls back at /api/v2/public/ and this name.',
  savePath: 'Save the path',
  beginOnly: 'Let in by the provider only',
  beginOnlyHelp:
    'API keys, codes, member tokens, applications and support access do not open the workspaces any more, from now on.',
  endOnly: 'Let in by codes and keys again',
  endOnlyHelp: 'Codes, API keys and applications open the workspaces again.',
};

export type OrganizationTexts = typeof en;
