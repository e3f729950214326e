import type { DataTypeValues } from '../../../db/records/data-types.js';
import type { RevisionTask } from '../revision-rules/types.js';

/** A workflow as a file: what another workspace, or the terminal, needs to run it. */
export interface WorkflowFile {
  name: string;
  description?: string | undefined;
  /** The data types that its tasks and expressions name. */
  dataTypes?: readonly DataTypeValues[] | undefined;
  /** With the uuids of its tasks, so that a task stays the same one in later revisions. */
  rootTask: RevisionTask;
}
