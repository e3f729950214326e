/** The groups of the documentation, in the order they are read, and what each is about. */
export const tags = {
  Sessions: 'Signing in and out, and what is signed in.',
  Account: 'The account behind the credential.',
  'API keys': 'Credentials of an account for programs, cut down to scopes.',
  Workspaces: 'The workspaces an account takes part in.',
  Members: "People and assistants: an account's part in one workspace.",
  'Member roles': 'What members may do beyond their own things.',
  'Member labels': 'What members are sorted by.',
  'Data types': 'What a workspace keeps about its members: types and their fields.',
  'Data records': 'The values themselves, checked against their type.',
  Workflows: 'Workflow definitions: what an assignment walks through.',
  'Workflow revisions': 'The versions of a definition: drafts, and published ones that never change.',
  Assignments: "A member's walk through the tasks of a definition.",
  Assistants: 'The agents that write for a workspace.',
  Chats: 'Conversations over SMS, voice, web chat and email, and their messages.',
  'Chat labels': 'What chats are sorted by.',
  'Token usage': 'What the model calls of a chat have cost.',
  'AI models': 'The models and voices that can be used, and what they cost.',
  'Phone numbers': 'The numbers a workspace sends from and is called at.',
  Events: 'What receivers are told by webhook, where an event rule names them.',
  'Event rules': 'Who is told of which events by webhook.',
  'Event deliveries': 'What became of the events that event rules were to deliver.',
  Support: 'For superusers: accounts of others, and workspaces that are not theirs.',
  Carrier: 'What the telephony carrier calls; nobody else can.',
  Health: 'For load balancers and operators.',
} as const;

export type Tag = keyof typeof tags;
