import { insertMemberLabel, type MemberLabelRow } from '../../../db/people/member-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { slugOfName } from '../../lib/label-slug.js';
import { reportingTakenSlug } from './reporting-taken-slug.js';

export interface NewMemberLabel {
  name: string;
  /** Default: derived from the name. */
  slug?: string;
  /** `#rrggbb`; default: grey. */
  color?: string;
}

const grey = '#808080';

/** Creates a label for members. @throws Forbidden, InvalidInput if the slug is taken */
export async function createMemberLabel(
  { db, clock, actor }: CommandContext,
  input: NewMemberLabel,
): Promise<MemberLabelRow> {
  actor.require('roles:write');
  const values = {
    name: input.name,
    slug: input.slug ?? slugOfName(input.name),
    color: (input.color ?? grey).toLowerCase(),
  };
  return reportingTakenSlug(() =>
    db.inWorkspace(actor.workspaceId, (tx) => insertMemberLabel(tx, values, clock.now())),
  );
}
