import { selectDefaultInboxes, selectEnabledInboxes } from '../../../db/channels/inboxes.js';
import { selectVoiceNumbers } from '../../../db/channels/phone-numbers.js';
import { type RemoteToolRef, selectAllowedTools } from '../../../db/definitions/mcp-tools.js';
import { selectSecrets } from '../../../db/definitions/secrets.js';
import { definitionOfRevision } from '../../../db/definitions/workflow-revisions.js';
import { loadRevisionTasks, type WorkflowTaskTree } from '../../../db/definitions/workflow-tasks.js';
import { selectNumbersOfService } from '../../../db/identity/phone-number-routes.js';
import { outboundCallsOf, requestHostsOf, voiceIdentityOf } from '../../../db/identity/workspaces.js';
import { findMemberLabelsBySlug } from '../../../db/people/member-labels.js';
import { allDataTypes } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { countriesOf } from '../../channels/phone-numbers/phone-destination.js';
import type { ForwardCallConfig, McpToolsConfig } from '../../kernel/ability-configs.js';
import { inspectExpression } from '../../lib/cel.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { checkPublishable, maxWarnings } from '../revision-rules/check-publishable.js';
import { checkRevision } from '../revision-rules/check-revision.js';
import { expressionsOfTask } from '../revision-rules/expressions-of-task.js';
import { asWarning, type RevisionWarning } from '../revision-rules/findings.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { walkTasks } from '../revision-rules/walk-tasks.js';
import { existingFolders, foldersNamedBy } from './named-folders.js';
import { completeTask, storedTaskTree } from './task-tree.js';

/** Checks the tasks and returns them in stored form. @throws InvalidInput with every reason why they cannot be saved */
export function checkedTasks(rootTask: RevisionTask): WorkflowTaskTree {
  const errors = checkRevision([rootTask]);
  if (errors.length > 0) throw InvalidInput.fields(inRootTask(errors));
  return completeTask(rootTask);
}

/**
 * What is probably wrong with a revision that is to be published.
 * @throws InvalidInput `revision_not_publishable` with every reason why it is surely wrong
 */
export async function requirePublishable(tx: Tx, revisionId: number, now: Date): Promise<RevisionWarning[]> {
  const { errors, warnings } = await checkStoredTasks(tx, revisionId, now);
  if (errors.length > 0) throw InvalidInput.fields(inRootTask(errors), 'revision_not_publishable');
  return warnings.map(({ field, ...warning }) => ({ ...warning, field: rootTaskPointer(field) }));
}

/** As `requirePublishable`, for a revision that is published: what would be refused today is a warning as well. */
export async function warningsOfPublished(tx: Tx, revisionId: number, now: Date): Promise<RevisionWarning[]> {
  const { tasks, errors, warnings } = await checkStoredTasks(tx, revisionId, now);
  const refused = errors.map((error) => asWarning(tasks, error));
  return [...refused, ...warnings]
    .slice(0, maxWarnings)
    .map(({ field, ...warning }) => ({ ...warning, field: rootTaskPointer(field) }));
}

/** More than a workspace may have. */
const manyInboxes = 1_000;
const manyNumbers = 1_000;

async function checkStoredTasks(tx: Tx, revisionId: number, now: Date) {
  const root = storedTaskTree(await loadRevisionTasks(tx, revisionId));
  const tasks = root === null ? [] : [root];
  const [
    dataTypes,
    labels,
    folders,
    mcpTools,
    hosts,
    secrets,
    inUse,
    byDefault,
    callers,
    identity,
    outbound,
    numbersOfService,
  ] = await Promise.all([
    allDataTypes(tx),
    findMemberLabelsBySlug(tx, labelsNamedBy(tasks)),
    existingFolders(tx, foldersNamedBy(tasks)),
    selectAllowedTools(tx, remoteToolsNamedBy(tasks)),
    requestHostsOf(tx),
    selectSecrets(tx),
    selectEnabledInboxes(tx, { limit: manyInboxes }),
    definitionOfRevision(tx, revisionId).then((id) => selectDefaultInboxes(tx, id ?? null, manyInboxes)),
    selectVoiceNumbers(tx, manyNumbers),
    definitionOfRevision(tx, revisionId).then((id) => voiceIdentityOf(tx, id ?? null)),
    outboundCallsOf(tx),
    selectNumbersOfService(tx, transferTargetsNamedBy(tasks)),
  ]);
  const requests = { hosts, secrets };
  const labelSlugs = new Set(labels.map(({ slug }) => slug));
  const folderPaths = new Set(folders);
  const inboxes = inUse.map(({ address }) => address);
  const defaultInboxes = byDefault.map(({ address }) => address);
  const voiceNumbers = callers.map(({ number }) => number);
  const home = voiceNumbers.length === 0 ? undefined : countriesOf(voiceNumbers);
  const transfers = { countries: outbound?.callCountries ?? home, numbersOfService };
  const surroundings = {
    dataTypes,
    labelSlugs,
    folderPaths,
    requests,
    mcpTools,
    inboxes,
    defaultInboxes,
    voiceNumbers,
    transfers,
    hasVoiceIdentity: identity !== undefined,
    now,
  };
  return { tasks, ...checkPublishable(tasks, surroundings) };
}

function transferTargetsNamedBy(tasks: readonly RevisionTask[]): string[] {
  const abilities = [...walkTasks(tasks)].flatMap(({ task }) => task.abilities ?? []);
  return abilities.flatMap(({ abilityType, config }) =>
    abilityType === 'forward_call' && Array.isArray(config?.targets)
      ? (config as unknown as ForwardCallConfig).targets.map(({ phoneNumber }) => phoneNumber)
      : [],
  );
}

function labelsNamedBy(tasks: readonly RevisionTask[]): string[] {
  const expressions = [...walkTasks(tasks)].flatMap(({ task }) => expressionsOfTask(task));
  const slugs = expressions.flatMap(({ text }) => inspectExpression(text).labelSlugs.map(({ name }) => name));
  return [...new Set(slugs)];
}

function remoteToolsNamedBy(tasks: readonly RevisionTask[]): RemoteToolRef[] {
  const abilities = [...walkTasks(tasks)].flatMap(({ task }) => task.abilities ?? []);
  return abilities.flatMap(({ abilityType, config }) =>
    abilityType === 'mcp_tools' && Array.isArray(config?.tools)
      ? (config as unknown as McpToolsConfig).tools
      : [],
  );
}

/** Rewrites pointers: the rules check a list of root tasks, but a request has a single one, in `rootTask`. */
function inRootTask(errors: readonly FieldError[]): FieldError[] {
  return errors.map(({ pointer, message }) => ({ pointer: rootTaskPointer(pointer), message }));
}

function rootTaskPointer(pointer: string): string {
  return pointer.replace(/^\/tasks(\/0)?(?=\/|$)/, '/rootTask');
}
