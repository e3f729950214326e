/** A job that a person begins by choosing it in an AI client. */
export interface McpPrompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** What the model is asked, with the arguments that the person has given. It names tools of the catalog. */
  text(given: Readonly<Record<string, string>>): string;
}

/** How a person answers a question of a model before something is sent or changed. */
const askFirst = 'Show me what you would send or change, and wait for my answer before you do it.';
/** What a person types into a form is a name or a number: it is shown as such. */
const quoted = (text: string | undefined) => JSON.stringify(text ?? '');

/** Common jobs. */
export const prompts: readonly McpPrompt[] = [
  {
    name: 'catch_up_on_chats',
    title: 'Answer the chats that wait',
    description: 'Goes through the chats in which a person has to answer, and drafts the answers.',
    arguments: [],
    text: () =>
      `List the chats in which a person has to answer (list_chats with needsResponse). For each, read the latest messages (list_chat_messages), say in one sentence what the member needs, and draft an answer. ${askFirst} Send with send_assistant_message.`,
  },
  {
    name: 'prepare_for_member',
    title: 'Prepare for a conversation with a member',
    description: 'Collects what is known about one member before a call or a visit.',
    arguments: [{ name: 'member', description: 'Name, email address or phone number', required: true }],
    text: ({ member }) =>
      `Find the member ${quoted(member)} (list_members); if there are several, ask me which. Then read the chats (list_chats), the assignments (list_assignments) and the data records of this member (list_data_types, list_data_records), and tell me on one page: who it is, what is open, what was promised, and what to ask. Say where each statement comes from.`,
  },
  {
    name: 'review_assignment',
    title: 'See where an assignment stands',
    description: 'Explains what a member has done in a workflow, and what comes next.',
    arguments: [{ name: 'assignment_id', description: 'The id of the assignment', required: true }],
    text: ({ assignment_id: id }) =>
      `Read the assignment ${quoted(id)} (get_assignment), its current task (get_current_task) and its timeline (read_assignment_timeline). Tell me where it stands, why, and what would move it on. ${askFirst}`,
  },
  {
    name: 'improve_workflow',
    title: 'Improve a workflow',
    description: 'Reads a workflow, proposes changes, and writes them as a draft.',
    arguments: [
      { name: 'workflow', description: 'The name of the workflow', required: true },
      { name: 'goal', description: 'What should become better', required: true },
    ],
    text: ({ workflow, goal }) =>
      `Find the workflow ${quoted(workflow)} (list_workflows) and read its published revision (list_workflow_revisions, get_workflow_revision). The goal is: ${quoted(goal)}. Propose the smallest change of tasks and prompts that reaches it. ${askFirst} Write a draft (create_workflow_revision), check it (check_workflow_revision), and do not publish it.`,
  },
  {
    name: 'report_usage',
    title: 'Report the use of tokens',
    description: 'Says what the agents have used lately, and where.',
    arguments: [],
    text: () =>
      'Read the token usage of the workspace (get_token_usage) and of the chats that used the most (list_chats, get_chat_token_usage). Tell me what was used, how it compares with the budget, and which chats or workflows stand out.',
  },
];
