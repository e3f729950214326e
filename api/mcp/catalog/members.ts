import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';

export const memberTools = [
  defineTool({
    name: 'list_members',
    title: 'List members',
    description:
      "Lists people and assistants of the workspace, a page at a time. Filter by name, email or phone to find one person. Without the permission members:read, only the caller's own member.",
    route: routeOf('listMembers'),
    defaults: { pageSize: 10 },
    untrusted: true,
  }),
  defineTool({
    name: 'create_member',
    title: 'Create a member',
    description:
      'Creates a person in the workspace. Email, phone and externalId are each unique: list members first, to see whether the person is there already.',
    route: routeOf('createMember'),
    untrusted: true,
  }),
  defineTool({
    name: 'delete_member',
    title: 'Delete a member',
    description: 'Deletes a person from the workspace. The history of the person remains.',
    route: routeOf('deleteMember'),
  }),
];
