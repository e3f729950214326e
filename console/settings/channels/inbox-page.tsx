import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, isGone, ProblemError } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ChangesForm } from '../../kit/changes-form.js';
import { Form, InputField, TextAreaField } from '../../kit/field.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useAct } from '../../kit/use-act.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled, useTexts } from '../../texts/texts.js';
import { Check } from '../checks.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { HandIn, ToInboxes } from './inbox-parts.js';
import { type MailServer, MailServerFields } from './mail-server.js';
import { type Inbox, inboxQuery } from './queries.js';
import { useChannelTexts } from './texts.js';
import { AssistantField, WorkflowField } from './workflow-field.js';

const changes = [['inboxes']];
const path = '/w/{workspace_uuid}/inboxes/{inbox_id}';

/** One inbox: who answers there, which server sends, and how mail is handed in. */
export function InboxPage(): ReactNode {
  const texts = useChannelTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const { inboxId } = useParams({ from: '/w/$workspace/settings/inboxes/$inboxId' });
  const query = useQuery(inboxQuery(uuid, Number(inboxId)));
  const { data, error } = query;
  const mayChange = can('inboxes:write');
  return (
    <SectionPage
      isForm
      title={data?.address ?? sections.inboxes.name}
      above={<ToInboxes />}
      acts={data !== undefined && mayChange && !isGone(error) ? <DeleteInbox inbox={data} /> : undefined}
    >
      {isGone(error) ? (
        <p>{texts.inboxGone}</p>
      ) : (
        <Read query={query}>
          {(inbox) => (
            <>
              <InboxFields key={`fields ${inbox.id}`} inbox={inbox} />
              {mayChange ? (
                <>
                  <Server key={`server ${inbox.id}`} inbox={inbox} />
                  <Receiving key={`secret ${inbox.id}`} inbox={inbox} />
                </>
              ) : null}
            </>
          )}
        </Read>
      )}
    </SectionPage>
  );
}

const paramsOf = (uuid: string, { id }: Inbox) => ({ path: { workspace_uuid: uuid, inbox_id: id } });

function InboxFields({ inbox }: { inbox: Inbox }): ReactNode {
  const texts = useChannelTexts();
  const { uuid, can } = useWorkspace();
  const params = paramsOf(uuid, inbox);
  return (
    <ChangesForm
      place={`inbox.${inbox.id}`}
      stored={inbox}
      mayChange={can('inboxes:write')}
      read={() => answer(api.GET(path, { params }))}
      save={({ smtp: _, ...body }) => answer(api.PUT(path, { params, body }))}
      reads={changes}
    >
      {(value, change) => (
        <>
          <Check
            label={texts.inboxEnabled}
            checked={value.enabled}
            onChange={(enabled) => change({ enabled })}
          />
          <div className={styles.columns}>
            <InputField
              label={texts.fromName}
              pointer="/fromName"
              hint={texts.fromNameHint}
              required
              maxLength={100}
              value={value.fromName}
              onChange={({ target }) => change({ fromName: target.value })}
            />
            {value.authservId === undefined ? null : (
              <InputField
                label={texts.authservId}
                pointer="/authservId"
                hint={texts.authservIdHint}
                maxLength={253}
                spellCheck={false}
                value={value.authservId ?? ''}
                onChange={({ target }) => change({ authservId: target.value || null })}
              />
            )}
            <WorkflowField
              label={texts.workflow}
              pointer="/workflowId"
              hint={texts.workflowHint}
              value={value.workflowId}
              onChange={(workflowId) => change({ workflowId })}
            />
            <AssistantField
              label={texts.assistant}
              pointer="/assistantMemberId"
              value={value.assistantMemberId}
              onChange={(assistantMemberId) => change({ assistantMemberId })}
            />
          </div>
          <TextAreaField
            label={texts.signature}
            pointer="/signature"
            hint={texts.signatureHint}
            maxLength={2_000}
            value={value.signature}
            onChange={({ target }) => change({ signature: target.value })}
          />
        </>
      )}
    </ChangesForm>
  );
}

/** The mail server with its password, which is kept nowhere here. */
function Server({ inbox }: { inbox: Inbox }): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const { saved, changedMeanwhile } = useTexts();
  /** What is entered, and what was stored before. */
  const [edit, setEdit] = useState<{ smtp: MailServer | null; before: MailServer | null }>();
  const stored = serverOf(inbox);
  const smtp = edit === undefined ? stored : edit.smtp;
  const save = useAct(
    async () => {
      const params = paramsOf(uuid, inbox);
      const now = serverOf(await answer(api.GET(path, { params })));
      if (!isSame(now, edit?.before)) {
        setEdit((one) => one && { ...one, before: now });
        throw new ProblemError({ status: 412, code: 'precondition_failed', detail: changedMeanwhile });
      }
      const sent = serverOf(await answer(api.PUT(path, { params, body: { smtp } })));
      // What has been changed again meanwhile is compared with what is stored by now.
      setEdit((one) => one && { ...one, before: sent });
    },
    ...changes,
  );
  return (
    <Section title={texts.sending}>
      <Form
        error={save.error}
        onSubmit={() =>
          // The password is not kept here once it is stored.
          save.mutate(undefined, { onSuccess: () => setEdit(undefined) })
        }
      >
        <MailServerFields
          hasPassword
          value={smtp}
          onChange={(changed) => {
            save.reset();
            setEdit({ smtp: changed, before: edit === undefined ? stored : edit.before });
          }}
        />
        <div className="acts">
          <button type="submit" disabled={save.isPending || isSame(smtp, stored)}>
            {texts.saveServer}
          </button>
          <span role="status">{save.isSuccess ? saved : null}</span>
        </div>
      </Form>
    </Section>
  );
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function serverOf({ smtp }: Inbox): MailServer | null {
  if (smtp === null || smtp === undefined) return null;
  const { user, ...server } = smtp;
  return user === null ? server : { ...server, user };
}

function Receiving({ inbox }: { inbox: Inbox }): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const [secret, setSecret] = useState<string>();
  return (
    <Section
      title={texts.receiving}
      acts={
        <AsksFirst
          title={texts.rotate}
          help={texts.rotateHelp}
          changes={changes}
          act={() => answer(api.POST(`${path}/rotate-secret`, { params: paramsOf(uuid, inbox) }))}
          onDone={({ inboundSecret }) => setSecret(inboundSecret)}
        />
      }
    >
      <HandIn inbox={inbox} secret={secret} />
    </Section>
  );
}

function DeleteInbox({ inbox }: { inbox: Inbox }): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  return (
    <AsksFirst
      title={texts.remove}
      help={filled(texts.removeHelp, { address: inbox.address })}
      tone="danger"
      changes={changes}
      act={async () => {
        await answer(api.DELETE(path, { params: paramsOf(uuid, inbox) }));
        // Before everything is read again: this inbox is gone.
        await navigate({ to: '/w/$workspace/settings/inboxes', params: { workspace: uuid } });
      }}
    />
  );
}
