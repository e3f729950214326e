import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Section, Status } from '../kit/page.js';
import { Ago, At, lengthOf } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { List } from './list.js';
import { useMemberTexts } from './texts.js';

/** The chats of a member in which something happened last; each opens in the inbox. */
export function Chats({ memberId }: { memberId: number }): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const query = {
    memberId: [memberId],
    pageSize: 10,
    sortBy: 'lastMessageReceivedAt' as const,
    sortOrder: 'desc' as const,
  };
  const list = useQuery({
    queryKey: [uuid, 'chats', 'of-member', memberId],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/chats', {
          params: { path: { workspace_uuid: uuid }, query },
        }),
      ),
  });
  return (
    <Section title={texts.chats}>
      <List
        list={list}
        empty={texts.noChats}
        columns={[
          [
            texts.chat,
            ({ id, channel, title }) => (
              <Link to="/w/$workspace/inbox/$chatId" params={{ workspace: uuid, chatId: String(id) }}>
                {title ?? common.channels[channel]}
              </Link>
            ),
          ],
          [texts.channel, ({ channel }) => common.channels[channel]],
          [
            texts.state,
            ({ needsResponse }) => (needsResponse ? <Status tone="warning">{texts.waits}</Status> : null),
          ],
          [
            texts.when,
            ({ lastMessageReceivedAt, createdAt }) => <Ago at={lastMessageReceivedAt ?? createdAt} />,
          ],
        ]}
      />
    </Section>
  );
}

/** The newest phone calls with a member. */
export function Calls({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const query = { memberId, pageSize: 10, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const list = useQuery({
    queryKey: [uuid, 'calls', 'of-member', memberId],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-calls', { params: { path: { workspace_uuid: uuid }, query } }),
      ),
  });
  return (
    <Section title={texts.calls}>
      <List
        list={list}
        empty={texts.noCalls}
        columns={[
          [
            texts.call,
            ({ id, inbound }) => (
              <Link to="/w/$workspace/calls/$callId" params={{ workspace: uuid, callId: String(id) }}>
                {texts.callDirections[inbound ? 'in' : 'out']}
              </Link>
            ),
          ],
          [texts.state, ({ status }) => texts.callStates[status]],
          [texts.duration, ({ durationSeconds }) => durationSeconds && lengthOf(durationSeconds)],
          [texts.when, ({ createdAt }) => <At at={createdAt} withDay />],
        ]}
      />
    </Section>
  );
}
