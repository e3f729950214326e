import type { FieldError } from '../../lib/errors.js';
import type { RevisionTask } from './types.js';
import { ofTask, type Visit, walkTasks } from './walk-tasks.js';

/** What is probably wrong with a revision that is published all the same: the codes of warnings, with their meaning. */
export const warningCodes = {
  waits_for_member:
    'Once the task is complete, nothing happens until the member writes, because it has no autoNext',
  every_way_conditional:
    'Every way on has a condition: while none holds, a colleague is alerted. A decision also goes on by `otherwise`',
  choice_among_steps:
    'The task is offered with a `choicePrompt`, but its siblings are steps: after it, the next one follows',
  no_time_limit:
    'A collect, or a wait for a condition or an event, has no `atMost`: if what it waits for never comes, the assignment stands there without end',
  handoff_leads_nowhere: 'When a person resumes the agent, nothing leads on from the handoff',
  unreachable: 'Nothing leads to the task: it is entered only if a person or a program selects it',
  required_alternative:
    'The task is required, but below one of several children of which one is taken: if it is another, the agent has to go there before the assignment completes',
  condition_without_effect: 'The condition of the root is never evaluated',
  host_not_allowed:
    'The workspace does not allow requests to the host (`requestHosts`): until it does, the agent is told that none is made',
  unknown_secret:
    'A request needs a secret that does not exist, or that is not for its host: until it is, the agent is told that none is made',
  unknown_mcp_tool:
    'The workspace has no such remote MCP server, or has not allowed the tool as it is now: until it is, the agent does not have the tool',
  unknown_inbox:
    'No inbox in use has the address that `send_email` names, or, where it names none, there is none or more than one that could be meant: until then the agent is told that no email is sent',
  unknown_phone_number:
    'The workspace has no number with calls that the `call` task or `place_call` names, or none at all: until it has, a colleague is alerted, or the agent is told',
  callers_unproved:
    'Neither the workspace nor the workflow says how callers prove who they are (`voiceIdentity`): on the phone, the agent is refused to read records',
  shown_to_strangers:
    'An ability says `access: workspace`: also a visitor of a site, and whoever writes or calls without being known, is shown the files that every member may see',
  moment_passed: 'The time of a wait has passed already, so that it ends at once',
  moment_too_far: 'The time of a wait is more than five years ahead: until then a colleague is alerted',
  duplicate_name: 'Another task has the same name: expressions and lists go by names',
  never_listed:
    'An expression looks for a task in `tasks.completed` that is never complete, or in `tasks.timed_out` that has no time limit',
  unknown_label: 'An expression names a label that does not exist',
  unknown_option: 'An expression compares a field with a value that is none of its options',
  type_mismatch:
    'An expression compares a field with a value of another type, or computes with both, which is never true; the dates of records are texts, which `timestamp(…)` reads',
  not_publishable:
    'Today publishing would refuse this; only in a revision that was published before it did, or whose data types have changed',
} as const;
export type WarningCode = keyof typeof warningCodes;

/** Something that is wrong with a task: surely, if it has no code, so that the revision is refused. */
export interface Finding extends FieldError {
  code?: WarningCode;
}

export interface RevisionWarning {
  code: WarningCode;
  /** The name of the task. */
  task: string;
  taskUuid?: string | undefined;
  /** A JSON pointer into the revision. */
  field: string;
  message: string;
}

/** All that is wrong with a revision. */
export interface Findings {
  errors: FieldError[];
  warnings: RevisionWarning[];
}

export function warningOf(
  visit: Pick<Visit, 'task' | 'pointer'>,
  code: WarningCode,
  found: FieldError,
): RevisionWarning {
  const { pointer, message } = ofTask(visit, found);
  const { name, uuid } = visit.task;
  return { code, task: name, taskUuid: uuid, field: pointer, message };
}

/** An error of a revision that was published all the same. */
export function asWarning(tasks: readonly RevisionTask[], { pointer, message }: FieldError): RevisionWarning {
  const around = [...walkTasks(tasks)]
    .filter((visit) => `${pointer}/`.startsWith(`${visit.pointer}/`))
    .at(-1);
  const { name, uuid } = around?.task ?? { name: '', uuid: undefined };
  return { code: 'not_publishable', task: name, taskUuid: uuid, field: pointer, message };
}
