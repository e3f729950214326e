/** The words of roles and of what they may do, in English. */
export const en = {
  title: 'Roles',
  what: 'Everyone may see and change what is their own. A role adds what is ticked, and a change applies from the next request on.',
  role: 'Role',
  permission: 'Permission',
  mayDo: '{role}: {grant}',
  flags: 'The role itself',
  flagMeanings: {
    useAdmin: 'May use the administration.',
    manageWorkspace: 'May manage the workspace.',
  },
  addType: 'Add one type of records',
  keys: 'Arrow keys move among the boxes; the space bar ticks one.',
  saveChanges: 'Save changes ({count})',
  discard: 'Discard',
  save: 'Save',
  saved: 'Saved.',
  newRole: 'New role',
  name: 'Name',
  like: 'Begins with the permissions of',
  likeNone: 'no role',
  create: 'Create',
  rename: 'Name',
  whoHasIt: 'Who has it',
  members: 'Members with this role: {count}',
  remove: 'Delete',
  removeHelp: 'The role “{name}” is deleted for good, unless somebody has it.',
  removeUnused: 'Nobody has the role “{name}”. It is deleted for good.',
  removeUsed:
    'Members with the role “{name}”: {count}. Give them another one first: until then it cannot be deleted.',
  gone: 'There is no such role. It may have been deleted.',
};

export type RoleTexts = typeof en;
