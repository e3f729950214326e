import type { WarningCode } from '../../../domain/definitions/revision-rules/findings.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';

type Example = Omit<RevisionTask, 'name'> & { name?: string };

const url = 'https://slots.example/free';
const done = { name: 'Done', taskType: 'conclude' } as const;
const hello = { text: 'Hello' };
const asking = (abilityType: string, config: Record<string, unknown>): Example => ({
  taskType: 'conversation',
  abilities: [{ abilityType, config }, { abilityType: 'conclude' }],
});
const requesting = (more: object) => {
  const request = { name: 'find_slot', description: 'Finds a time', method: 'GET', url, ...more };
  return asking('http_request', { requests: [request] });
};
const guarded = (celGuard: string): Example => ({
  taskType: 'message',
  configuration: hello,
  autoNext: true,
  children: [{ ...done, celGuard }],
});

/** The smallest root task that is warned of with each code; a test publishes them. */
export const warningExamples: Record<Exclude<WarningCode, 'not_publishable'>, Example> = {
  waits_for_member: { taskType: 'message', configuration: hello, children: [done] },
  every_way_conditional: {
    taskType: 'decision',
    children: [{ ...done, celCondition: 'chat.paused' }],
  },
  choice_among_steps: {
    taskType: 'message',
    configuration: hello,
    autoNext: true,
    children: [
      { name: 'Yes', taskType: 'message', choicePrompt: 'Yes', autoNext: true, configuration: hello },
      { name: 'No', taskType: 'conclude', choicePrompt: 'No' },
    ],
  },
  no_time_limit: { taskType: 'wait', autoNext: true, configuration: { event: 'chat:replied' } },
  handoff_leads_nowhere: { taskType: 'handoff', configuration: {} },
  unreachable: {
    taskType: 'message',
    configuration: hello,
    autoNext: true,
    children: [{ name: 'Talk', taskType: 'conversation', abilities: [{ abilityType: 'conclude' }] }, done],
  },
  required_alternative: {
    taskType: 'decision',
    children: [
      { ...done, celCondition: 'chat.paused', required: true },
      { name: 'Else', taskType: 'message', autoNext: true, configuration: hello },
    ],
  },
  condition_without_effect: {
    taskType: 'message',
    configuration: hello,
    autoNext: true,
    celCondition: 'chat.paused',
  },
  host_not_allowed: requesting({}),
  unknown_secret: requesting({ headers: [{ name: 'X-Key', secret: 'slots' }] }),
  unknown_mcp_tool: asking('mcp_tools', { tools: [{ server: 'orders', tool: 'find_order' }] }),
  unknown_inbox: asking('send_email', { inbox: 'desk@inboxes.example' }),
  unknown_phone_number: { taskType: 'call', autoNext: true, configuration: { phoneNumber: '+15550100199' } },
  callers_unproved: asking('read_data', { dataTypeSlug: 'intake' }),
  shown_to_strangers: asking('search_files', { access: 'workspace' }),
  moment_passed: { taskType: 'wait', autoNext: true, configuration: { until: '2020-01-01' } },
  moment_too_far: { taskType: 'wait', autoNext: true, configuration: { until: '2090-01-01' } },
  duplicate_name: {
    taskType: 'message',
    configuration: hello,
    autoNext: true,
    children: [{ ...done, name: 'Task' }],
  },
  never_listed: guarded('"Task" in tasks.timed_out'),
  unknown_label: guarded('"vipp" in member.labels'),
  unknown_option: guarded('member.form_data.visit.mood == "fine"'),
  type_mismatch: guarded('member.form_data.intake.full_name == 1'),
};
