import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { InputField, TextAreaField } from '../../kit/field.js';
import { Facts, Section } from '../../kit/page.js';
import { At } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { useSettingsTexts } from '../texts.js';
import { Who } from '../who.js';

type WorkspaceHold = Schemas['WorkspaceHold'];
const changes = [['workspace']];

/** Whether everything is held, since when and by whom; who may, holds it or lets it go on. */
export function Hold(): ReactNode {
  const texts = useSettingsTexts();
  const { uuid, workspace, can } = useWorkspace();
  const path = { workspace_uuid: uuid };
  const { hold } = workspace;
  const isHeld = hold !== undefined && hold.heldAt !== null;
  return (
    <Section
      title={texts.hold}
      acts={
        can('workspace:write') ? (
          <>
            <HoldWorkspace key={`${hold?.heldAt} ${hold?.until}`} hold={isHeld ? hold : undefined} />
            {isHeld ? (
              <AsksFirst
                title={texts.resume}
                help={texts.resumeHelp}
                act={() => answer(api.DELETE('/w/{workspace_uuid}/workspace-hold', { params: { path } }))}
                changes={changes}
              />
            ) : null}
          </>
        ) : undefined
      }
    >
      {isHeld ? <HeldSince hold={hold} /> : <p className="quiet">{texts.notHeld}</p>}
    </Section>
  );
}

function HeldSince({ hold: { heldAt, until, reason, heldByMemberId } }: { hold: WorkspaceHold }): ReactNode {
  const texts = useSettingsTexts();
  return (
    <Facts
      facts={[
        [texts.heldSince, heldAt === null ? null : <At key="since" at={heldAt} withDay />],
        [texts.heldUntil, until === null ? texts.untilEnded : <At key="until" at={until} withDay />],
        [texts.heldBy, heldByMemberId == null ? null : <Who key="by" id={heldByMemberId} />],
        [texts.holdReason, reason],
      ]}
    />
  );
}

function HoldWorkspace({ hold }: { hold: WorkspaceHold | undefined }): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const [reason, setReason] = useState(hold?.reason ?? '');
  const [until, setUntil] = useState(() => localTime(hold?.until ?? null));
  return (
    <AsksFirst
      title={hold === undefined ? texts.hold : texts.changeHold}
      help={texts.holdHelp}
      tone="danger"
      changes={changes}
      act={() =>
        answer(
          api.POST('/w/{workspace_uuid}/workspace-hold', {
            params: { path: { workspace_uuid: uuid } },
            body: {
              reason: reason.trim() || null,
              until: until === '' ? null : new Date(until).toISOString(),
            },
          }),
        )
      }
    >
      <TextAreaField
        label={texts.holdReason}
        pointer="/reason"
        hint={texts.holdReasonHint}
        maxLength={2_000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <InputField
        label={texts.holdUntil}
        pointer="/until"
        hint={texts.holdUntilHint}
        type="datetime-local"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
    </AsksFirst>
  );
}

/** A time as a field for times has it, by the clock of this computer. */
function localTime(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
