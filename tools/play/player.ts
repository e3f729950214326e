import type { Database } from '../../db/database.js';
import { foldersNamedBy } from '../../domain/definitions/workflow-revisions/named-folders.js';
import { completeTask } from '../../domain/definitions/workflow-revisions/task-tree.js';
import type { Simulation } from '../../domain/simulation/entries.js';
import type { SimulationInput } from '../../domain/simulation/script.js';
import { simulate } from '../../domain/simulation/simulate.js';
import type { PlayedWorkflow } from './files.js';

/** Where a workflow is played that belongs to no workspace. */
const workspace = { defaultRegion: 'US', locale: 'en-US', timezone: 'UTC' };
const assistant = { name: 'Assistant', instructions: '', chatModelId: null, chatModelConfig: {} };

/** Walks an invented member through a workflow of a file, by the rules of the service. @throws InvalidInput, Unavailable */
export function play(db: Database, workflow: PlayedWorkflow, input: SimulationInput): Promise<Simulation> {
  const { name, rootTask, dataTypes } = workflow;
  const definition = { name, rootTask: completeTask(rootTask), sendsSms: true };
  const folderPaths = foldersNamedBy([rootTask]);
  const setting = { workspace, definition, isDraft: true, assistant, dataTypes, folderPaths };
  return simulate({ db }, setting, input, { workspaceId: null, now: new Date() });
}
