import { type ChatLabelRow, insertChatLabel } from '../../../db/conversations/chat-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { slugOfName } from '../../lib/label-slug.js';
import { reportingTakenSlug } from './reporting-taken-slug.js';

export interface NewChatLabel {
  name: string;
  /** Default: derived from the name. */
  slug?: string;
  /** `#rrggbb`; default: grey. */
  color?: string;
  description?: string;
}

const grey = '#808080';

/** @throws Forbidden, InvalidInput if the slug is taken */
export async function createChatLabel(
  { db, clock, actor }: CommandContext,
  input: NewChatLabel,
): Promise<ChatLabelRow> {
  actor.require('workspace:write');
  const values = {
    name: input.name,
    slug: input.slug ?? slugOfName(input.name),
    color: (input.color ?? grey).toLowerCase(),
    description: input.description ?? '',
  };
  return reportingTakenSlug(() =>
    db.inWorkspace(actor.workspaceId, (tx) => insertChatLabel(tx, values, clock.now())),
  );
}
