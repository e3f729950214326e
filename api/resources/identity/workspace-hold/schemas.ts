import Type from 'typebox';
import type { WorkspaceHoldRow } from '../../../../db/definitions/workspace-holds.js';
import { maxHoldDays } from '../../../../domain/identity/workspaces/hold-workspace.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import { type AnswerOf, Id, Nullable, Time } from '../../../http/schemas.js';

export const WorkspaceHold = Type.Object(
  {
    heldAt: Nullable(Time({ description: 'Since when the workspace is held; null: it is not' })),
    until: Nullable(Time({ description: 'When the hold ends by itself; null: it does not' })),
    reason: Type.Optional(
      Nullable(
        Type.String({ description: 'Why. Absent without the permission chats:read or workspace:write' }),
      ),
    ),
    heldByMemberId: Type.Optional(
      Nullable(
        Type.Integer({
          ...Id,
          description: 'Who holds it. Absent without the permission chats:read or workspace:write',
        }),
      ),
    ),
  },
  { $id: 'WorkspaceHold' },
);

export const HoldWorkspaceRequest = Type.Object(
  {
    reason: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 2_000, description: 'Why, for colleagues' })),
    ),
    until: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          maxLength: 40,
          description: `When the hold ends by itself: in the future, within ${maxHoldDays} days. null: only when somebody ends it`,
        }),
      ),
    ),
  },
  { $id: 'HoldWorkspaceRequest' },
);

/** Members see that nobody answers; why is for colleagues. */
export function presentHold(
  hold: WorkspaceHoldRow | undefined,
  actor: Actor,
): AnswerOf<typeof WorkspaceHold> {
  return {
    heldAt: hold?.heldAt ?? null,
    until: hold?.until ?? null,
    ...(actor.can('chats:read') || actor.can('workspace:write')
      ? { reason: hold?.reason ?? null, heldByMemberId: hold?.heldByMemberId ?? null }
      : {}),
  };
}
