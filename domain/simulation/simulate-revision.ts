import { readWorkspaceDay } from '../../db/agent/agent-ledger.js';
import { findAssistantForChat } from '../../db/conversations/assistants.js';
import { allDataTypes } from '../../db/records/data-types.js';
import { addUsage, type CallUsage, estimateTokens } from '../agent/model-calls.js';
import type { Asked } from '../agent/prepare-round.js';
import { dayOf } from '../chat-state/admit-turn.js';
import { findSpentMonth } from '../chat-state/credit-budget.js';
import { requireWorkflowDefinition } from '../definitions/workflow-definitions/require-definition.js';
import { existingFolders, foldersNamedBy } from '../definitions/workflow-revisions/named-folders.js';
import { completeTask } from '../definitions/workflow-revisions/task-tree.js';
import { loadRevision } from '../definitions/workflow-revisions/workflow-revisions.js';
import { isReached } from '../kernel/agent-budgets.js';
import { priceCall } from '../kernel/ai-models/credits.js';
import type { CommandContext } from '../kernel/context.js';
import { Conflict, InvalidInput } from '../lib/errors.js';
import type { Simulation } from './entries.js';
import { NoAnswer } from './model.js';
import type { SimulationInput } from './script.js';
import type { SimulatedModel } from './simulate.js';
import { simulate } from './simulate.js';
import type { Simulations } from './simulations.js';
import type { Setting } from './stage.js';

export interface SimulateRevision extends SimulationInput {
  /** Default: `scripted`. `configured`: answers that the script lacks come from the model, and cost what it costs. */
  model?: 'scripted' | 'configured';
}

/**
 * Walks an invented member through a revision, draft or published. Stores and sends nothing; only the usage of a
 * configured model is counted, for which the permission `workflows:write` is needed.
 * @throws Forbidden, NotFound, InvalidInput, Conflict `token_budget`, Unavailable
 */
export async function simulateRevision(
  context: CommandContext,
  simulations: Simulations,
  ids: { workflowId: number; revisionId: number },
  { model = 'scripted', ...input }: SimulateRevision,
): Promise<Simulation> {
  const { actor, db, clock } = context;
  actor.require('workflows:read');
  if (model === 'configured') actor.require('workflows:write');
  const configured =
    model === 'configured' ? configuredModel(context, simulations, ids.workflowId) : undefined;
  const setting = await readSetting(context, ids);
  const options = { workspaceId: actor.workspaceId, now: clock.now() };
  const { agentBudgets } = simulations;
  return simulations.run(configured === undefined ? 'scripted' : 'withModel', actor.workspaceId, () =>
    simulate({ db, agentBudgets }, setting, input, configured ? { ...options, model: configured } : options),
  );
}

async function readSetting(
  { db, actor }: CommandContext,
  { workflowId, revisionId }: { workflowId: number; revisionId: number },
): Promise<Setting> {
  const workspace = await db.identity.workspaces.findById(actor.workspaceId);
  if (workspace === undefined) throw new Error('the workspace of the caller is gone');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const revision = await loadRevision(tx, workflowId, revisionId);
    const [definition, assistant, dataTypes] = await Promise.all([
      requireWorkflowDefinition(tx, workflowId),
      findAssistantForChat(tx, { definitionId: workflowId }),
      allDataTypes(tx),
    ]);
    if (revision.rootTask === null) {
      throw new InvalidInput('revision_not_publishable', 'The revision has no tasks.');
    }
    const rootTask = completeTask(revision.rootTask);
    return {
      workspace,
      definition: {
        name: definition.name,
        rootTask,
        sendsSms: definition.defaultPhoneNumberId !== null,
      },
      isDraft: revision.publishedAt === null,
      assistant: assistant && {
        name: assistant.name,
        instructions: assistant.instructions,
        chatModelId: assistant.chatModelId,
        chatModelConfig: assistant.chatModelConfig,
      },
      dataTypes: dataTypes.map(({ name, slug, isCollection, fields }) => ({
        name,
        slug,
        isCollection,
        fields,
      })),
      folderPaths: await existingFolders(tx, foldersNamedBy([rootTask])),
    };
  });
}

/**
 * The configured model, whose usage counts towards the budget of the workspace: with an estimate where an answer that may
 * have cost something did not come. Its calls are not noted before they begin, so they reserve nothing of the budget.
 */
function configuredModel(
  context: CommandContext,
  { askModel, agentBudgets }: Simulations,
  definitionId: number,
): SimulatedModel {
  const { db, actor, clock, models } = context;
  if (askModel === undefined) throw InvalidInput.field('/model', 'must be scripted: no model is configured');
  const count = async (modelId: string, usage: CallUsage) => {
    const { credits } = priceCall(models, modelId, usage);
    const counted = { audioInputTokens: 0, audioOutputTokens: 0, ...usage, credits };
    const of = { memberId: actor.memberId, definitionId, modelId };
    await db.inWorkspace(actor.workspaceId, (tx) => addUsage(tx, of, counted, clock.now()));
  };
  return {
    models,
    ask: async (asked, signal) => {
      const day = dayOf(clock.now());
      const [used, spentMonth] = await db.readInWorkspace(actor.workspaceId, (tx) =>
        Promise.all([readWorkspaceDay(tx, day), findSpentMonth(tx, clock.now())]),
      );
      const isSpent =
        isReached(used.tokens, agentBudgets.workspaceTokensPerDay) ||
        isReached(used.credits, agentBudgets.workspaceCreditsPerDay);
      if (isSpent) throw new Conflict('token_budget', 'The workspace has used up its tokens for the day.');
      if (spentMonth !== undefined) {
        throw new Conflict('token_budget', 'The workspace has used up its credits for the month.');
      }
      try {
        return await askModel(asked, signal);
      } catch (error) {
        if (error instanceof NoAnswer && error.mayHaveCost) await count(asked.modelId, estimateOf(asked));
        throw error;
      }
    },
    onAnswer: ({ modelId }, { usage }) => count(modelId, usage),
  };
}

function estimateOf({ messages, tools }: Asked): CallUsage {
  const promptTokens = estimateTokens([messages, tools]);
  return { promptTokens, completionTokens: 0, cachedTokens: 0, totalTokens: promptTokens };
}
