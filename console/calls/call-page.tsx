import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { answer, api, isGone } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Facts, Page, Section } from '../kit/page.js';
import { At, lengthOf } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { CallState, nameOf, useOutcome } from './parts.js';
import { type Call, isLive, oneCall } from './queries.js';
import { useCallTexts } from './texts.js';
import { Transcript } from './transcript.js';
import { Transfer } from './transfer.js';

/** One call: who, how it went, what is and was said. */
export function CallPage(): ReactNode {
  const shared = useTexts();
  const texts = useCallTexts();
  const { uuid, can } = useWorkspace();
  const { callId } = useParams({ from: '/w/$workspace/calls/$callId' });
  const { data: call, error } = useQuery(oneCall(uuid, Number(callId)));
  const above = (
    <Link to="/w/$workspace/calls" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
  if (call === undefined || isGone(error)) {
    return (
      <Page title={texts.call} above={above}>
        {error === null ? <p role="status">{shared.loading}</p> : null}
        {isGone(error) ? <p>{texts.notFound}</p> : <ErrorNotice error={error} />}
      </Page>
    );
  }
  const mayHangUp = isLive(call) && call.hungUpAt === undefined && can('chats:admin');
  return (
    <Page
      title={<span dir="auto">{nameOf(call) ?? texts.unknown}</span>}
      above={above}
      acts={
        <>
          <CallState call={call} />
          <CallLinks call={call} />
          {mayHangUp ? <Transfer call={call} /> : null}
          {mayHangUp ? <HangUp call={call} /> : null}
        </>
      }
    >
      <ErrorNotice error={error} />
      {isLive(call) && call.hungUpAt !== undefined ? <p role="status">{texts.hungUp}</p> : null}
      <Section title={texts.call}>
        <CallFacts call={call} />
      </Section>
      {call.chatId === undefined ? null : <Spoken key={call.id} call={call} chatId={call.chatId} />}
    </Page>
  );
}

function CallLinks({ call: { chatId, member } }: { call: Call }): ReactNode {
  const texts = useCallTexts();
  const { uuid, can } = useWorkspace();
  const params = { workspace: uuid };
  return (
    <>
      {chatId !== undefined && can('chats:read') ? (
        <Link to="/w/$workspace/inbox/$chatId" params={{ ...params, chatId: String(chatId) }}>
          {texts.chat}
        </Link>
      ) : null}
      {member === undefined ? null : (
        <>
          {can('members:read') ? (
            <Link to="/w/$workspace/members/$memberId" params={{ ...params, memberId: String(member.id) }}>
              {texts.memberSpeaks}
            </Link>
          ) : null}
          <Link to="/w/$workspace/calls" params={params} search={{ member: member.id }}>
            {texts.member}
          </Link>
        </>
      )}
    </>
  );
}

function CallFacts({ call }: { call: Call }): ReactNode {
  const texts = useCallTexts();
  const outcomeOf = useOutcome();
  const number = useNumber(call.phoneNumberId);
  const { recordingNotice: notice, price, durationSeconds, failureDetail } = call;
  const { blockedReason, transferBlockedReason } = call;
  const time = (at: string | undefined) => at && <At at={at} withDay />;
  return (
    <Facts
      facts={[
        [texts.direction, texts.directions[call.inbound ? 'in' : 'out']],
        [texts.outcome, outcomeOf(call)],
        [texts.blocked, blockedReason && wordsOf(blockedReason)],
        [texts.transferBlocked, transferBlockedReason && wordsOf(transferBlockedReason)],
        [texts.failure, failureDetail && wordsOf(failureDetail)],
        [texts.began, time(call.createdAt)],
        [texts.answered, time(call.startedAt)],
        [texts.ended, time(call.finishedAt)],
        [texts.length, durationSeconds === undefined ? undefined : lengthOf(durationSeconds)],
        [texts.number, number],
        [texts.credits, call.credits],
        [texts.price, price === undefined ? undefined : `${price} ${call.priceUnit ?? ''}`],
        [texts.proved, time(call.identityProvedAt)],
        [texts.consent, notice && texts.consents[notice.consent]],
        [texts.notice, notice && <span dir="auto">{notice.text}</span>],
      ]}
    />
  );
}

/** The number of the workspace. What cannot be read is left out. */
function useNumber(id: number): string | undefined {
  const { uuid } = useWorkspace();
  const path = { workspace_uuid: uuid, phone_number_id: id };
  const { data } = useQuery({
    queryKey: [uuid, 'phone-numbers', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/phone-numbers/{phone_number_id}', { params: { path }, signal })),
  });
  return data && `${data.name} ${data.number}`;
}

function HangUp({ call: { id } }: { call: Call }): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, phone_call_id: id } };
  return (
    <AsksFirst
      title={texts.hangUp}
      help={texts.hangUpQuestion}
      tone="danger"
      act={() => answer(api.POST('/w/{workspace_uuid}/phone-calls/{phone_call_id}/hang-up', { params }))}
      changes={[['calls']]}
    />
  );
}

/** The transcript, and the recording that it leads into. */
function Spoken({ call, chatId }: { call: Call; chatId: number }): ReactNode {
  const texts = useCallTexts();
  const player = useRef<HTMLAudioElement>(null);
  const playFrom = (ms: number) => {
    const { current } = player;
    if (current === null) return;
    current.currentTime = ms / 1_000;
    void current.play().catch(() => undefined);
  };
  return (
    <Section title={texts.transcript}>
      <Transcript call={call} chatId={chatId} player={player} playFrom={playFrom} />
    </Section>
  );
}
