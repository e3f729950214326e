import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { Form, InputField } from '../../kit/field.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { HandIn, ToInbox, ToInboxes } from './inbox-parts.js';
import { type MailServer, MailServerFields } from './mail-server.js';
import { useChannelTexts } from './texts.js';

/** Makes an inbox, and shows its secret once. */
export function NewInboxPage(): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const [address, setAddress] = useState('');
  const [fromName, setFromName] = useState('');
  const [smtp, setSmtp] = useState<MailServer | null>(null);
  const { header, onSettled } = useRequestKey();
  const create = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/inboxes', {
          params: { path: { workspace_uuid: uuid }, header },
          body: { address, fromName, smtp },
        }),
      ),
    ['inboxes'],
  );
  if (create.data !== undefined) {
    return (
      <SectionPage isForm title={create.data.address} above={<ToInboxes />}>
        <p role="status">{texts.inboxMade}</p>
        <HandIn inbox={create.data} secret={create.data.inboundSecret} />
        <p>
          {texts.toInbox} <ToInbox inbox={create.data} />
        </p>
      </SectionPage>
    );
  }
  return (
    <SectionPage isForm title={texts.newInbox} above={<ToInboxes />}>
      <Form error={create.error} onSubmit={() => create.mutate(undefined, { onSettled })}>
        <InputField
          label={texts.address}
          pointer="/address"
          hint={texts.addressHint}
          type="email"
          required
          maxLength={200}
          autoComplete="off"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <InputField
          label={texts.fromName}
          pointer="/fromName"
          hint={texts.fromNameHint}
          required
          maxLength={100}
          value={fromName}
          onChange={({ target }) => setFromName(target.value)}
        />
        <MailServerFields
          value={smtp}
          onChange={(changed) => {
            create.reset();
            setSmtp(changed);
          }}
        />
        <div className="acts">
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </div>
      </Form>
    </SectionPage>
  );
}
