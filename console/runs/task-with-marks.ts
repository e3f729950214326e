import type { ReactNode } from 'react';
import type { TreeTask } from '../kit/task-tree.js';

/** A task of a tree with what is said of it beside its name. */
export interface TaskWithMarks extends TreeTask {
  marks: ReactNode;
  children: readonly TaskWithMarks[];
}
