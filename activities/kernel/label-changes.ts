import { setTimeout as pause } from 'node:timers/promises';
import { chatLabels } from '../../domain/conversations/chat-labels/chat-labels.js';
import { fileLabels } from '../../domain/files/labels/file-labels.js';
import { type AppliedBatch, applyLabelChange } from '../../domain/kernel/apply-label-change.js';
import { memberLabels } from '../../domain/people/member-labels/member-labels.js';
import type { ActivityDependencies } from './dependencies.js';
import { beginSlice } from './slice.js';

const kinds = { member: memberLabels, chat: chatLabels, file: fileLabels };

/** After a batch that pokes, while the relay delivers the pokes. */
const pauseMs = 200;

export function labelActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    /** Visits those that have a changed label, until none is left, the slice is over or the worker stops. */
    async applyLabelChange({
      kind,
      ...label
    }: {
      workspaceId: number;
      kind: keyof typeof kinds;
      labelId: number;
    }): Promise<AppliedBatch> {
      const isOver = beginSlice();
      const total = { visited: 0, woken: 0 };
      for (;;) {
        const { visited, woken, finished } = await applyLabelChange(dependencies, kinds[kind], label);
        total.visited += visited;
        total.woken += woken;
        if (finished || isOver()) return { ...total, finished };
        // Where nothing was visited, the relay is busy.
        if (woken > 0 || visited === 0) await pause(pauseMs);
      }
    },
  };
}
