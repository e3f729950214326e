import type { RemoteToolRef } from '../../../db/definitions/mcp-tools.js';
import { isAbilityType } from '../../kernel/abilities.js';
import type {
  ForwardCallConfig,
  HttpRequestConfig,
  McpToolsConfig,
  SendEmailConfig,
} from '../../kernel/ability-configs.js';
import { suggestion } from '../../lib/closest.js';
import { maxErrorsListed } from '../../lib/errors.js';
import { checkCallingNumber } from './check-calling-number.js';
import { checkExpressions, type DataTypeInUse } from './check-expressions.js';
import { checkDuplicateName, tasksByName } from './check-names.js';
import { reachabilityCheck } from './check-reachable.js';
import { checkRepeat } from './check-repeat.js';
import { checkRequestTerms, type RequestTerms } from './check-requests.js';
import { checkRevision } from './check-revision.js';
import { checkTransferTargets, type TransferTerms } from './check-transfer-targets.js';
import { checkTimeLimit, checkWait } from './check-wait.js';
import { checkChoice, checkWayOn } from './check-way-on.js';
import { type Finding, type Findings, warningOf } from './findings.js';
import type { RevisionAbility, RevisionTask } from './types.js';
import { ofTask, type Visit, walkTasks } from './walk-tasks.js';

/** The maximum number of warnings in an answer. */
export const maxWarnings = 100;

/** What a revision is checked against. */
export interface Surroundings {
  dataTypes: readonly DataTypeInUse[];
  /** The slugs that exist of the labels that the expressions name. */
  labelSlugs: ReadonlySet<string>;
  /** The paths that exist of the folders that the abilities name. */
  folderPaths: ReadonlySet<string>;
  /** What requests of the agent may use. */
  requests: RequestTerms;
  /** The tools of remote MCP servers that agents may use, of those that the abilities name. */
  mcpTools: readonly RemoteToolRef[];
  /** The addresses of the inboxes that are in use. */
  inboxes: readonly string[];
  /** Those of them that emails may be from whose ability names none: they are sent only if it is exactly one. */
  defaultInboxes: readonly string[];
  /** The numbers of the workspace that have calls. */
  voiceNumbers: readonly string[];
  /** Where calls may be transferred. */
  transfers: TransferTerms;
  /** Whether it was said how callers prove who they are. */
  hasVoiceIdentity: boolean;
  now: Date;
}

/**
 * Everything that is wrong with a revision that is to be published: errors refuse it, as it is immutable and runs for
 * years; warnings are probable faults. Stops once there are as many of either as an answer tells.
 */
export function checkPublishable(tasks: readonly RevisionTask[], surroundings: Surroundings): Findings {
  if (tasks.length === 0) {
    return { errors: [{ pointer: '/tasks', message: 'The revision has no tasks' }], warnings: [] };
  }
  const findings: Findings = { errors: checkRevision(tasks), warnings: [] };
  // The rules below rely on what these check: types, configurations, and the size of the tree.
  if (findings.errors.length > 0) return findings;
  const visits = [...walkTasks(tasks)];
  const checkTask = taskCheck(visits, surroundings);
  for (const visit of visits) {
    for (const { code, ...found } of checkTask(visit)) {
      if (code === undefined) findings.errors.push(ofTask(visit, found));
      else if (findings.warnings.length < maxWarnings) findings.warnings.push(warningOf(visit, code, found));
      if (findings.errors.length === maxErrorsListed) return findings;
    }
  }
  return findings;
}

/** Returns a generator of the findings of a task; see `checkExpressions` for why it is one. */
function taskCheck(
  visits: readonly Visit[],
  {
    now,
    folderPaths,
    requests,
    mcpTools,
    inboxes,
    defaultInboxes,
    voiceNumbers,
    transfers,
    hasVoiceIdentity,
    ...known
  }: Surroundings,
) {
  const tasks = visits.map(({ task }) => task);
  const byName = tasksByName(tasks);
  const required = tasks.filter((task) => task.required === true);
  const checkReachable = reachabilityCheck(visits);
  return function* checkTask(visit: Visit): Generator<Finding> {
    const { task, ancestors } = visit;
    const collects = task.taskType === 'collect' ? task.configuration : undefined;
    const passed = new Set([...ancestors, task]);
    yield* checkTaskType(visit, now);
    yield* checkWayOn(
      visit,
      required.some((other) => !passed.has(other)),
    );
    yield* checkChoice(visit);
    if (task.taskType === 'decision') yield* checkRepeat(task, tasks);
    if (task.taskType === 'call') {
      yield* checkCallingNumber(task.configuration ?? {}, voiceNumbers, '/configuration');
    }
    yield* checkDataReference(collects, known.dataTypes, '/configuration');
    yield* checkReachable(visit);
    for (const [index, ability] of (task.abilities ?? []).entries()) {
      yield* checkAbility(ability, `/abilities/${index}`, {
        dataTypes: known.dataTypes,
        folderPaths,
        requests,
        mcpTools,
        inboxes,
        defaultInboxes,
        voiceNumbers,
        transfers,
        hasVoiceIdentity,
      });
    }
    yield* checkDuplicateName(task, byName);
    yield* checkExpressions(task, { tasks: byName, ...known });
  };
}

function checkTaskType({ task }: Visit, now: Date): Finding[] {
  const childCount = task.children?.length ?? 0;
  switch (task.taskType) {
    case 'decision':
      return childCount === 0 && task.configuration?.repeat === undefined
        ? [{ pointer: '/children', message: 'a decision needs children to take' }]
        : [];
    case 'collect':
      return checkTimeLimit(task.configuration ?? {});
    case 'wait':
      return checkWait(task.configuration ?? {}, now);
    case 'conclude':
      return childCount > 0 ? [{ pointer: '/children', message: 'nothing comes after conclude' }] : [];
    default:
      return [];
  }
}

function checkAbility(
  ability: RevisionAbility,
  pointer: string,
  {
    dataTypes,
    folderPaths,
    requests,
    ...from
  }: Pick<
    Surroundings,
    | 'dataTypes'
    | 'folderPaths'
    | 'requests'
    | 'mcpTools'
    | 'inboxes'
    | 'defaultInboxes'
    | 'voiceNumbers'
    | 'transfers'
    | 'hasVoiceIdentity'
  >,
): Finding[] {
  const { abilityType } = ability;
  if (!isAbilityType(abilityType)) return [];
  if (abilityType === 'search_files' || abilityType === 'send_files') {
    const path = ability.config?.folderPath;
    const findings: Finding[] = [];
    if (typeof path === 'string' && !folderPaths.has(path)) {
      findings.push({ pointer: `${pointer}/config/folderPath`, message: `there is no folder ${path}` });
    }
    if (ability.config?.access === 'workspace') {
      const message = 'shows strangers what every member may see';
      findings.push({ pointer: `${pointer}/config/access`, message, code: 'shown_to_strangers' });
    }
    return findings;
  }
  if (abilityType === 'http_request') {
    return checkRequestTerms(ability.config as unknown as HttpRequestConfig, requests).map(
      ({ pointer: within, ...found }) => ({ pointer: `${pointer}/config${within}`, ...found }),
    );
  }
  if (abilityType === 'mcp_tools') {
    return checkMcpTools(ability.config as unknown as McpToolsConfig, from.mcpTools, `${pointer}/config`);
  }
  if (abilityType === 'place_call') {
    return checkCallingNumber(ability.config ?? {}, from.voiceNumbers, `${pointer}/config`);
  }
  if (abilityType === 'forward_call') {
    const config = ability.config as unknown as ForwardCallConfig;
    return checkTransferTargets(config, from.transfers, `${pointer}/config`);
  }
  if (abilityType === 'send_email') return checkInbox(ability.config ?? {}, from, `${pointer}/config`);
  if (abilityType !== 'save_data' && abilityType !== 'read_data') return [];
  const errors: Finding[] = checkDataReference(ability.config, dataTypes, `${pointer}/config`);
  if (abilityType === 'save_data' && ability.config?.fieldSlugs === undefined) {
    const message = 'is required: the fields that the agent may write';
    errors.unshift({ pointer: `${pointer}/config/fieldSlugs`, message });
  }
  if (abilityType === 'read_data' && from.voiceNumbers.length > 0 && !from.hasVoiceIdentity) {
    const message = 'is refused on the phone: voiceIdentity of the workspace and of the workflow are not set';
    return [...errors, { pointer, message, code: 'callers_unproved' }];
  }
  return errors;
}

/** Warns of tools that the agent does not have: they can still be allowed. */
function checkMcpTools(
  { tools }: McpToolsConfig,
  allowed: readonly RemoteToolRef[],
  pointer: string,
): Finding[] {
  return tools.flatMap(({ server, tool }, index): Finding[] => {
    if (allowed.some((one) => one.server === server && one.tool === tool)) return [];
    const message = `no tool ${tool} of a remote MCP server ${server} is allowed`;
    return [{ pointer: `${pointer}/tools/${index}`, message, code: 'unknown_mcp_tool' }];
  });
}

/** Warns of emails that no inbox sends: it can still be added, or another one be disabled. */
function checkInbox(
  { inbox }: SendEmailConfig,
  { inboxes, defaultInboxes }: Pick<Surroundings, 'inboxes' | 'defaultInboxes'>,
  pointer: string,
): Finding[] {
  const code = 'unknown_inbox';
  if (inbox !== undefined) {
    if (inboxes.includes(inbox)) return [];
    return [{ pointer: `${pointer}/inbox`, message: `there is no inbox ${inbox} in use`, code }];
  }
  if (defaultInboxes.length === 1) return [];
  const message =
    defaultInboxes.length === 0
      ? 'there is no inbox in use'
      : `name the inbox: ${defaultInboxes.length} could be meant`;
  return [{ pointer, message, code }];
}

/** Checks that `dataTypeSlug` and `fieldSlugs` of a configuration exist. */
function checkDataReference(
  configuration: Record<string, unknown> | undefined,
  dataTypes: readonly DataTypeInUse[],
  pointer: string,
): Finding[] {
  const slug = configuration?.dataTypeSlug;
  if (typeof slug !== 'string') return [];
  const dataType = dataTypes.find((one) => one.slug === slug);
  if (!dataType) {
    const instead = suggestion(
      slug,
      dataTypes.map((one) => one.slug),
    );
    return [{ pointer: `${pointer}/dataTypeSlug`, message: `there is no data type ${slug}${instead}` }];
  }
  const fieldSlugs = configuration?.fieldSlugs;
  if (!Array.isArray(fieldSlugs)) return [];
  const known = dataType.fields.map((field) => field.slug);
  return fieldSlugs.flatMap((value, index) => {
    const fieldSlug = String(value);
    if (known.includes(fieldSlug)) return [];
    const message = `${slug} has no field ${fieldSlug}${suggestion(fieldSlug, known)}`;
    return [{ pointer: `${pointer}/fieldSlugs/${index}`, message }];
  });
}
