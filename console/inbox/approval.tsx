import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import type { Chat } from './chat-feed.js';
import styles from './inbox.module.css';
import { useInboxTexts } from './texts.js';

interface Props {
  chat: Chat;
  interrupt: Schemas['ChatInterruptResponse'];
}

/** What the agent wants to do, or whom a task hands over to, for a colleague to decide. */
export function Approval({ chat, interrupt }: Props): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  return (
    <section className={styles.approval} aria-label={texts.decision}>
      <h3>{interrupt.kind === 'tool_call' ? texts.approvalOfCall : texts.handOver}</h3>
      {interrupt.toolCall === undefined ? null : <Call call={interrupt.toolCall} />}
      {interrupt.expiresAt === undefined ? null : (
        <p className="quiet">
          {shared.until} <At at={interrupt.expiresAt} withDay />
        </p>
      )}
      {chat.canSendAsAssistant ? (
        <Decide chat={chat} interrupt={interrupt} />
      ) : (
        <p>{texts.decisionAwaited}</p>
      )}
    </section>
  );
}

function Decide({ chat, interrupt }: Props): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const [comment, setComment] = useState('');
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      answer(
        api.POST('/w/{workspace_uuid}/chats/{chat_id}/interrupt', {
          params: { path: { workspace_uuid: uuid, chat_id: chat.id } },
          body: {
            interruptId: interrupt.id,
            decision,
            ...(decision === 'reject' && comment.trim() !== '' ? { comment: comment.trim() } : {}),
          },
        }),
      ),
  });
  const isCall = interrupt.kind === 'tool_call';
  return (
    <>
      <label>
        {texts.commentForAgent} <input value={comment} onChange={({ target }) => setComment(target.value)} />
      </label>
      <p className="acts">
        <button
          type="button"
          className="primary"
          disabled={decide.isPending}
          onClick={() => decide.mutate('approve')}
        >
          {isCall ? texts.approve : texts.take}
        </button>
        <button
          type="button"
          className="danger"
          disabled={decide.isPending}
          onClick={() => decide.mutate('reject')}
        >
          {isCall ? texts.reject : texts.giveBack}
        </button>
      </p>
      <ErrorNotice error={decide.error} />
    </>
  );
}

function Call({ call }: { call: NonNullable<Schemas['ChatInterruptResponse']['toolCall']> }): ReactNode {
  return (
    <>
      <p>
        <code>{call.name}</code>
      </p>
      <dl className={styles.fields}>
        {Object.entries(argumentsOf(call.arguments)).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** A model writes the arguments, so they need not be JSON. */
function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : { value };
  } catch {
    return { arguments: text };
  }
}
