import type { Entry } from '../../domain/simulation/entries.js';

const speakers = {
  member: 'member  ←',
  agent: 'agent   →',
  task: 'text    →',
  operator: 'person  →',
  service: 'service →',
  note: 'note     ',
} as const;

/** An entry of a walk in a line. */
export function describeEntry(entry: Entry): string {
  const task = entry.task === null ? '' : ` “${entry.task}”`;
  switch (entry.kind) {
    case 'message':
      return `${speakers[entry.from]} ${entry.text}${buttons(entry.suggestions)}`;
    case 'entered':
      return `  · task${task} (${entry.by})`;
    case 'completed':
      return `  · complete${task}`;
    case 'tool':
      return `  · tool ${entry.tool} ${entry.arguments} → ${entry.result}`;
    case 'timer_set':
      return `  · waits in${task} until ${entry.until.toISOString()}`;
    case 'timer_came':
      return `  · the time of${task} comes, ${entry.at.toISOString()}`;
    case 'follow_up_set':
      return `  · follow-up at ${entry.until.toISOString()}: ${entry.text}`;
    case 'follow_up_came':
      return `  · the follow-up is due, ${entry.at.toISOString()}`;
    case 'follow_up_cancelled':
      return `  · the follow-up is cancelled: ${entry.text}`;
    case 'delivery':
      return `  · SMS ${entry.status}${entry.reason === undefined ? '' : ` (${entry.reason})`}`;
    case 'refused':
      return `  · refused (${entry.reason}): ${entry.text}`;
    case 'needs_response':
      return `  · a colleague is alerted (${entry.reason}): ${entry.text}`;
    case 'answered':
      return '  · the alert is answered';
    case 'paused':
      return `  · the agent is paused${entry.reason === null ? '' : ` (${entry.reason})`}`;
    case 'resumed':
      return '  · the agent is resumed';
    case 'concluded':
      return `  · ${[entry.status, entry.outcome, entry.reason].filter((part) => part !== null).join(', ')}`;
  }
}

/** The answers that the member is shown. */
function buttons(suggestions: readonly string[] = []): string {
  return suggestions.map((answer) => ` [${answer}]`).join('');
}
