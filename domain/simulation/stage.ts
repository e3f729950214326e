import { randomUUID } from 'node:crypto';
import { type AssistantRow, insertAssistant } from '../../db/conversations/assistants.js';
import type { Database } from '../../db/database.js';
import {
  insertWorkflowDefinition,
  patchWorkflowDefinition,
} from '../../db/definitions/workflow-definitions.js';
import { insertWorkflowRevision, patchDraftRevision } from '../../db/definitions/workflow-revisions.js';
import { replaceDraftTasks, type WorkflowTaskTree } from '../../db/definitions/workflow-tasks.js';
import { insertFolder } from '../../db/files/folders.js';
import type { WorkspaceRow } from '../../db/identity/models/workspace.js';
import { replaceLabelsOfMembers } from '../../db/people/member-labels.js';
import { insertMemberRole } from '../../db/people/member-roles.js';
import { insertMember } from '../../db/people/members.js';
import { vouchForMember } from '../../db/people/vouched-members.js';
import { type DataTypeValues, insertDataType } from '../../db/records/data-types.js';
import type { Tx } from '../../db/tx.js';
import { countriesOf } from '../channels/phone-numbers/phone-destination.js';
import { requirePublishable } from '../definitions/workflow-revisions/check-tasks.js';
import { Actor } from '../kernel/actor.js';
import { allScopes } from '../kernel/scopes.js';
import type { Encryption } from '../lib/encryption.js';
import { InvalidInput } from '../lib/errors.js';
import { emptyMember } from '../people/members/add-member.js';
import { normalizeAttributes } from '../people/members/member-attributes.js';
import { addNumber, routeNumber } from './add-number.js';
import { labelIdsOf, writeRecords } from './member-data.js';
import { addReached, checkReached, hostsOf, reachedBy } from './reached.js';
import { nameOfMember, type SimulatedMember, type SimulationInput } from './script.js';

/** The definition and everything of its workspace that a walk depends on. */
export interface Setting {
  workspace: Pick<WorkspaceRow, 'defaultRegion' | 'locale' | 'timezone'>;
  /** `sendsSms`: it has a default phone number. */
  definition: { name: string; rootTask: WorkflowTaskTree; sendsSms: boolean };
  /** A draft is checked as for publishing. */
  isDraft: boolean;
  assistant: Pick<AssistantRow, 'name' | 'instructions' | 'chatModelId' | 'chatModelConfig'> | null;
  dataTypes: readonly DataTypeValues[];
  /** Where the abilities name folders that there are. In a simulation they are empty. */
  folderPaths: readonly string[];
}

/** The people and things of a simulation, in a workspace that is never committed. */
export interface Stage {
  workspaceId: number;
  defaultRegion: string;
  definitionId: number;
  revisionId: number;
  /** The number that SMS are sent from, and its id. */
  number: { id: number; number: string };
  member: Actor;
  memberPhone: string;
  operator: Actor;
}

/** Nobody outside the transaction sees the workspace, so any number does. */
const memberPhone = '+12025550100';
const memberEmail = 'member@simulation.invalid';

/**
 * Copies the setting into a new workspace, so that the walk neither sees, locks nor collides with anything of a real one.
 * @throws InvalidInput for the member's data, and `revision_not_publishable`
 */
export async function setStage(
  within: Database,
  setting: Setting,
  input: SimulationInput,
  { encryption, now }: { encryption: Encryption; now: Date },
): Promise<Stage> {
  const { defaultRegion, locale } = setting.workspace;
  const timezone = input.timezone ?? setting.workspace.timezone;
  let stage: Stage | undefined;
  const reached = reachedBy(setting.definition.rootTask);
  checkReached(reached);
  const name = `simulation-${randomUUID()}`;
  await within.identity.workspaces.create(
    {
      name,
      slug: name,
      defaultRegion,
      locale,
      timezone,
      smsCountries: countriesOf([memberPhone]),
      requestHosts: hostsOf(reached),
      createdAt: now,
    },
    async (tx, { uuid }) => {
      stage = await fill(tx, { uuid, defaultRegion }, setting, input.member ?? {}, now);
      await addReached(tx, reached, { definitionId: stage.definitionId, encryption, now });
      await routeNumber(within, tx, stage.number, now);
    },
  );
  if (stage === undefined) throw new Error('the workspace of a simulation was not created');
  return stage;
}

async function fill(
  tx: Tx,
  workspace: { uuid: string; defaultRegion: string },
  setting: Setting,
  input: SimulatedMember,
  now: Date,
): Promise<Stage> {
  const role = (roleName: string, permissions: readonly string[]) =>
    insertMemberRole(
      tx,
      { name: roleName, permissions: [...permissions], useAdmin: false, manageWorkspace: false },
      now,
    );
  const roles = { member: await role('Member', []), operator: await role('Operator', allScopes) };
  await Promise.all(setting.dataTypes.map((dataType) => insertDataType(tx, dataType, now)));
  const person = { ...emptyMember, ...checkedPerson(input, { defaultRegion: workspace.defaultRegion, now }) };
  const memberRow = await insertMember(
    tx,
    { ...person, phone: memberPhone, email: memberEmail, memberRoleId: roles.member.id },
    now,
  );
  await vouchForMember(tx, memberRow.id);
  const operatorRow = await insertMember(
    tx,
    { ...emptyMember, name: 'Operator', memberRoleId: roles.operator.id },
    now,
  );
  await addFolders(tx, setting.folderPaths, { ownerMemberId: operatorRow.id, now });
  const labelIds = await labelIdsOf(tx, input.labels ?? [], now);
  await replaceLabelsOfMembers(tx, [{ memberId: memberRow.id, labelIds }]);
  const { defaultRegion } = workspace;
  await writeRecords(tx, memberRow.id, input.records ?? {}, {
    now,
    defaultRegion,
    pointer: '/member/records',
  });
  const actor = (memberId: number, memberRoleId: number, permissions: readonly string[]) =>
    new Actor({
      workspaceId: tx.workspaceId,
      workspaceUuid: workspace.uuid,
      accountId: null,
      memberId,
      memberRoleId,
      permissions,
      isKnown: true,
      credential: { kind: 'session', id: 0, scopes: null },
    });
  const number = await addNumber(tx, now);
  const terms = { operatorId: operatorRow.id, roleId: roles.member.id, numberId: number.id, now };
  return {
    workspaceId: tx.workspaceId,
    defaultRegion,
    ...(await addDefinition(tx, setting, terms)),
    number,
    member: actor(memberRow.id, roles.member.id, []),
    memberPhone,
    operator: actor(operatorRow.id, roles.operator.id, allScopes),
  };
}

function checkedPerson(
  { name = nameOfMember, locale }: SimulatedMember,
  terms: { defaultRegion: string; now: Date },
) {
  const attributes = { name, ...(locale === undefined ? {} : { locale }) };
  const { changes, errors } = normalizeAttributes(attributes, terms);
  if (errors.length === 0) return changes;
  throw InvalidInput.fields(errors.map((error) => ({ ...error, pointer: `/member${error.pointer}` })));
}

async function addDefinition(
  tx: Tx,
  { definition, assistant, isDraft }: Setting,
  { operatorId, roleId, numberId, now }: { operatorId: number; roleId: number; numberId: number; now: Date },
): Promise<Pick<Stage, 'definitionId' | 'revisionId'>> {
  if (assistant !== null) {
    await insertAssistant(tx, {
      ...assistant,
      realtimeModelId: null,
      realtimeModelConfig: {},
      isDefault: true,
      enabled: true,
      memberRoleId: roleId,
      createdAt: now,
    });
  }
  const definitionId = await insertWorkflowDefinition(tx, {
    name: definition.name,
    description: null,
    defaultPhoneNumberId: definition.sendsSms ? numberId : null,
    assistantMemberId: null,
    voiceIdentity: null,
    createdAt: now,
  });
  const revision = { definitionId, number: 1, name: definition.name, createdAt: now };
  const { id: revisionId } = await insertWorkflowRevision(tx, revision);
  await replaceDraftTasks(tx, revisionId, definition.rootTask);
  if (isDraft) await requirePublishable(tx, revisionId, now);
  const published = { publishedAt: now, publishedByMemberId: operatorId, updatedAt: now };
  await patchDraftRevision(tx, revisionId, published);
  await patchWorkflowDefinition(tx, definitionId, { activeRevisionId: revisionId, updatedAt: now });
  return { definitionId, revisionId };
}

/** Adds empty folders at these paths of slugs, and above them. */
async function addFolders(
  tx: Tx,
  paths: readonly string[],
  { ownerMemberId, now }: { ownerMemberId: number; now: Date },
): Promise<void> {
  const ids = new Map<string, number>();
  for (const path of paths) {
    let parentFolderId: number | null = null;
    const slugs = path.split('/');
    for (const [depth, slug] of slugs.entries()) {
      const at = slugs.slice(0, depth + 1).join('/');
      const values = { parentFolderId, name: slug, slug, description: null, ownerMemberId } as const;
      const id: number = ids.get(at) ?? (await insertFolder(tx, { ...values, access: 'workspace' }, now)).id;
      ids.set(at, id);
      parentFolderId = id;
    }
  }
}
