import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import type { Chat } from './chat-feed.js';
import { GiveBack } from './give-back.js';
import styles from './inbox.module.css';
import { memberOf } from './member-of.js';
import { Snooze } from './snooze.js';
import { useInboxTexts } from './texts.js';
import { useNames } from './use-names.js';

interface Props {
  chat: Chat;
  lastMessageId: string | undefined;
  close: () => void;
  showsMember: boolean;
  toggleMember: () => void;
}

/** Whose chat it is, why it waits and who has it, and what one may do with it. */
export function ChatHeader({ chat, lastMessageId, close, showsMember, toggleMember }: Props): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { can } = useWorkspace();
  return (
    <header className={styles.chatHeader}>
      <div>
        <h2 tabIndex={-1}>{memberOf(chat)?.name ?? texts.unknownPerson}</h2>
        <p className="quiet">
          {shared.channels[chat.channel]}
          {chat.currentTaskName === undefined ? null : ` · ${chat.currentTaskName}`}
        </p>
        <State chat={chat} />
      </div>
      <div className="acts">
        {can('chats:write') ? <Acts chat={chat} lastMessageId={lastMessageId} /> : null}
        <button type="button" aria-pressed={showsMember} onClick={toggleMember}>
          {texts.member}
        </button>
        <button type="button" onClick={close}>
          {shared.close}
        </button>
      </div>
    </header>
  );
}

function State({ chat }: { chat: Chat }): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { me } = useWorkspace();
  const nameOf = useNames(chat);
  const { claim, needsResponse, needsResponseReason: reason, paused } = chat;
  const claimant = claim !== undefined && new Date(claim.until) > new Date() ? claim.memberId : undefined;
  return (
    <p className={styles.state}>
      {needsResponse ? <span className="chip">{shared.waiting}</span> : null}
      {needsResponse ? reason && texts.reasons[reason] : paused ? texts.agentSilent : texts.agentSpeaks}
      {claimant === undefined ? null : (
        <span className="chip">
          {claimant === me.id
            ? texts.claimedByYou
            : filled(texts.claimedBy, {
                name: nameOf({ role: 'assistant', memberId: claimant }),
              })}{' '}
          {claim === undefined ? null : <At at={claim.until} />}
        </span>
      )}
    </p>
  );
}

function Acts({ chat, lastMessageId }: { chat: Chat; lastMessageId: string | undefined }): ReactNode {
  const texts = useInboxTexts();
  const { uuid, me } = useWorkspace();
  const queries = useQueryClient();
  const params = { path: { workspace_uuid: uuid, chat_id: chat.id } };
  const isMine = chat.claim?.memberId === me.id && new Date(chat.claim.until) > new Date();
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: [uuid, 'queue'] }) };
  const claim = useMutation({
    mutationFn: () => answer(api.POST('/w/{workspace_uuid}/chats/{chat_id}/claim', { params, body: {} })),
    ...settled,
  });
  const release = useMutation({
    mutationFn: () => answer(api.DELETE('/w/{workspace_uuid}/chats/{chat_id}/claim', { params })),
    ...settled,
  });
  const summarize = useMutation({
    mutationFn: () => answer(api.POST('/w/{workspace_uuid}/chats/{chat_id}/summarize', { params })),
  });
  const error = claim.error ?? release.error ?? summarize.error;
  const mayClaim = !isMine && (chat.needsResponse || !chat.paused);
  return (
    <>
      {mayClaim ? (
        <button type="button" disabled={claim.isPending} onClick={() => claim.mutate()}>
          {chat.needsResponse ? texts.claim : texts.takeOver}
        </button>
      ) : null}
      {isMine ? (
        <button type="button" disabled={release.isPending} onClick={() => release.mutate()}>
          {texts.release}
        </button>
      ) : null}
      {chat.needsResponse ? <Snooze chat={chat} lastMessageId={lastMessageId} /> : null}
      {chat.paused ? <GiveBack chat={chat} /> : null}
      <button type="button" disabled={summarize.isPending} onClick={() => summarize.mutate()}>
        {texts.summarize}
      </button>
      <ErrorNotice error={error} />
    </>
  );
}
