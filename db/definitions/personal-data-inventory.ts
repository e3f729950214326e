import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { McpServerModel } from './models/mcp-server.js';
import { McpToolModel } from './models/mcp-tool.js';
import { SecretModel } from './models/secret.js';
import { WorkflowDefinitionModel, WorkflowDefinitionRoleModel } from './models/workflow-definition.js';
import { WorkflowRevisionModel } from './models/workflow-revision.js';
import { WorkflowTaskAbilityModel, WorkflowTaskModel } from './models/workflow-task.js';
import { WorkspaceHoldModel } from './models/workspace-hold.js';

/** What the tables of this area hold of a person. */
export const definitionsTables: PersonalDataInventory = {
  aboutMembers: [],
  others: [
    WorkflowDefinitionModel,
    WorkspaceHoldModel,
    WorkflowRevisionModel,
    WorkflowTaskModel,
    WorkflowTaskAbilityModel,
    SecretModel,
    McpServerModel,
    // What a remote server says of its tools.
    McpToolModel,
    WorkflowDefinitionRoleModel,
  ],
};
