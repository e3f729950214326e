import { awaitedImportRoute } from '../../resources/people/members/transfer-routes.js';
import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { adds, reads, replaces } from './annotations.js';

const getOwn = defineTool({
  name: 'get_own_member',
  title: 'Get the own member',
  description:
    "Tells who the caller is in this workspace: the member, its role and the permissions of the role. Call it first when it is not known whether the caller may act for other members: without members:read, assignments:read or chats:read, the other tools show only the caller's own data. No arguments.",
  route: routeOf('getOwnMember'),
  annotations: reads,
  untrusted: true,
});

const list = defineTool({
  name: 'list_members',
  title: 'List members',
  description:
    'Finds the people and assistants of the workspace, by part of the name (search), email, phone, externalId, role or label. Use it to turn a name into the memberId that other tools take. Returns a page of members with total and totalPages. If several members fit a name, ask the person which one is meant. Next: get_member, list_assignments or list_chats with the memberId.',
  route: routeOf('listMembers'),
  omit: ['disabled'],
  annotations: reads,
  untrusted: true,
});

const get = defineTool({
  name: 'get_member',
  title: 'Get a member',
  description:
    'Returns one member by its id: name, addresses, locale, role, labels and whether it is enabled. Use list_members first if only a name is known. Next: list_data_records with memberId for what is recorded about the member.',
  route: routeOf('getMember'),
  annotations: reads,
  untrusted: true,
});

const create = defineTool({
  name: 'create_member',
  title: 'Create a member',
  description:
    'Adds a person to the workspace. Look for the person by list_members first (email, phone or externalId, each of which is unique): a refusal with 409 or a field error means that the member exists. Sends nothing to the person. Returns the member. Next: create_assignment or create_chat with its id as memberId.',
  route: routeOf('createMember'),
  omit: ['memberRoleId'],
  annotations: adds,
  untrusted: true,
});

const update = defineTool({
  name: 'update_member',
  title: 'Change a member',
  description:
    'Changes the given fields of a member; fields that are left out keep their values. labelIds is the complete list of labels: read the member first and send the present ones too. Labels, email, phone and externalId need the permission members:write. Roles are given by people, not by tools. Returns the changed member.',
  route: routeOf('updateMember'),
  omit: ['memberRoleId'],
  annotations: replaces,
  untrusted: true,
});

const importMembers = defineTool({
  name: 'import_members',
  title: 'Import members',
  description:
    'Creates or changes many people: a row names one by email, phone or external_id. Rows that fail are in failedRows.',
  route: awaitedImportRoute,
  task: 'import',
  omit: ['newMemberRoleId', 'blankCells'],
  annotations: replaces,
  confirmed: 'Each row creates a member, or changes the one that it names.',
  untrusted: true,
});

const remove = defineTool({
  name: 'delete_member',
  title: 'Delete a member',
  description:
    'Removes a person from the workspace. Chats and records of the person stay readable, and email, phone and externalId can be used again. Use it only if the person you work for asks for it; ask before. Answers nothing.',
  route: routeOf('deleteMember'),
  annotations: replaces,
  confirmed: 'The member is removed from the workspace, and cannot be restored.',
  untrusted: true,
});

const listLabels = defineTool({
  name: 'list_member_labels',
  title: 'List member labels',
  description:
    'Lists the labels that members can have, with id, name and slug. Use the ids as memberLabelId of list_members, and in labelIds of create_member and update_member.',
  route: routeOf('listMemberLabels'),
  annotations: reads,
  untrusted: true,
});

const listChatLabels = defineTool({
  name: 'list_chat_labels',
  title: 'List chat labels',
  description:
    'Lists the labels that chats can have, with id, name, slug and what each is for. Use the ids as labelId of list_chats.',
  route: routeOf('listChatLabels'),
  annotations: reads,
  untrusted: true,
});

export const memberTools = [
  getOwn,
  list,
  get,
  create,
  update,
  importMembers,
  remove,
  listLabels,
  listChatLabels,
];
