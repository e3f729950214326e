import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../../kit/page.js';
import { SecretOnce } from '../../kit/secret-once.js';
import { useWorkspace } from '../../kit/workspace.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import type { Inbox } from './queries.js';
import { useChannelTexts } from './texts.js';

export function ToInboxes(): ReactNode {
  const { sections } = useSettingsTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/settings/inboxes" params={{ workspace: uuid }}>
      {sections.inboxes.name}
    </Link>
  );
}

export function ToInbox({ inbox: { id, address } }: { inbox: Inbox }): ReactNode {
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/settings/inboxes/$inboxId" params={{ workspace: uuid, inboxId: String(id) }}>
      {address}
    </Link>
  );
}

interface Props {
  inbox: Inbox;
  /** What the API has just given, and does not give again. */
  secret: string | undefined;
}

/** How a mail server hands in what it gets for the inbox. */
export function HandIn({ inbox, secret }: Props): ReactNode {
  const texts = useChannelTexts();
  const address = `${location.origin}/api/v2/inboxes/${inbox.uuid}/inbound`;
  return (
    <>
      <p>{texts.handInHelp}</p>
      <div className={styles.lines}>
        <Facts
          facts={[
            [texts.handInAt, <code key="at">{address}</code>],
            [texts.handInHeader, <code key="header">X-Inbox-Secret</code>],
          ]}
        />
      </div>
      {secret === undefined ? null : <SecretOnce help={texts.secretOnce} secret={secret} />}
    </>
  );
}
