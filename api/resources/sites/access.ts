import Type from 'typebox';
import { memberOrVisitor, workspaceMember } from '../../http/access.js';

/** Of pages and menus as editors see them, drafts among them. */
export const editors = {
  read: workspaceMember({ scope: 'sites:read', permission: 'sites:read' }),
  write: workspaceMember({ scope: 'sites:write', permission: 'sites:write' }),
};

/** Of what visitors of a site see. */
export const visitors = memberOrVisitor({ scope: 'sites:read' });

export const Locale = Type.String({ minLength: 2, maxLength: 35 });
