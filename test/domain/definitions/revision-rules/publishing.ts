import { expect } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';

const dataTypes = [
  {
    slug: 'intake',
    isCollection: false,
    fields: [
      { slug: 'age', fieldType: 'integer' },
      { slug: 'name', fieldType: 'text' },
      { slug: 'mood', fieldType: 'select', options: ['good', { value: 'bad' }] },
      { slug: 'topics', fieldType: 'multiselect', options: ['sleep', 'food'] },
      { slug: 'scan', fieldType: 'file' },
      { slug: 'photos', fieldType: 'files' },
      { slug: 'extra', fieldType: 'json' },
      { slug: 'due', fieldType: 'date' },
      { slug: 'call_at', fieldType: 'datetime' },
    ],
  },
  {
    slug: 'visits',
    isCollection: true,
    fields: [
      { slug: 'place', fieldType: 'text' },
      { slug: 'day', fieldType: 'date' },
    ],
  },
];
const now = new Date('2026-11-24T12:00:00Z');
const folderPaths = new Set(['leaflets/aftercare']);
const requests = { hosts: [], secrets: [] };
const inboxes = ['desk@inboxes.example'];
export const surroundings = {
  dataTypes,
  labelSlugs: new Set(['vip']),
  folderPaths,
  requests,
  mcpTools: [{ server: 'orders', tool: 'find_order' }],
  inboxes,
  defaultInboxes: inboxes,
  voiceNumbers: ['+15550100100'],
  transfers: { countries: ['US', 'GB'], numbersOfService: ['+15550100111'] },
  hasVoiceIdentity: true,
  now,
};
export const done: RevisionTask = { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } };
export const talk: RevisionTask = { name: 'Talk', taskType: 'conversation' };
export const task = (taskType: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name: 'Task',
  taskType,
  ...more,
});

export function pointersOf(...tasks: RevisionTask[]): string[] {
  return checkPublishable(tasks, surroundings).errors.map((error) => error.pointer);
}

/** Each warning as its code and its field. */
export function warningsOf(...tasks: RevisionTask[]): string[] {
  const { errors, warnings } = checkPublishable(tasks, surroundings);
  expect(errors).toEqual([]);
  return warnings.map(({ code, field }) => `${code} ${field}`);
}

export function hello(more: Partial<RevisionTask> = {}): RevisionTask {
  return { name: 'Hello', taskType: 'message', configuration: { text: 'Hello' }, ...more };
}

export function waitFor(configuration: Record<string, unknown>): RevisionTask {
  return { name: 'Wait', taskType: 'wait', configuration };
}
