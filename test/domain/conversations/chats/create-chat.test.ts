import { expect, it } from 'vitest';
import { liveOutreach } from '../../../../domain/calls/live-outreach.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import type { Outreach } from '../../../../domain/kernel/outreach.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();

it('delivers the initial message of a new chat by the port of its context, and stores what hinders it', async () => {
  const { workspace } = suite;
  const { id: phoneNumberId } = await addPhoneNumber(workspace);
  const delivered: unknown[] = [];
  const outreach: Outreach = {
    ...liveOutreach,
    async deliver(_tx, { memberId }, { content }, _now, by) {
      delivered.push({ memberId, content, by });
      return 'opted_out';
    },
  };
  const { memberId } = workspace.member;
  const input = { channel: 'phone-sms', phoneNumberId, memberId, assistantEnabled: false } as const;
  const content = 'Your visit is on Monday.';

  const chat = await createChat({ ...workspace.context(), outreach }, { ...input, initialMessage: content });

  expect(delivered).toEqual([{ memberId, content, by: { isPlanned: true } }]);
  expect(chat.initialMessageError).toBe('opted_out');
});
