import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, ProblemError, type Schemas } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { InputField, TextAreaField } from '../../kit/field.js';
import { Facts, Section } from '../../kit/page.js';
import { At, useOwnClock } from '../../kit/times.js';
import { useWorkspace, workspaceQuery } from '../../kit/workspace.js';
import { useSettingsTexts } from '../texts.js';
import { Who } from '../who.js';

type WorkspaceHold = Schemas['WorkspaceHold'];
const changes = [['workspace']];

/** Whether everything is held, since when and by whom; who may, holds it or lets it go on. */
export function Hold(): ReactNode {
  const texts = useSettingsTexts();
  const { uuid, workspace, can } = useWorkspace();
  useQuery({ ...workspaceQuery(uuid), refetchOnMount: 'always' });
  const path = { workspace_uuid: uuid };
  const { hold } = workspace;
  const isHeld = hold !== undefined && hold.heldAt !== null;
  return (
    <Section
      title={texts.hold}
      acts={
        can('workspace:write') ? (
          <>
            <HoldWorkspace hold={hold} />
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

interface Written {
  reason?: string;
  until?: string;
}

function HoldWorkspace({ hold }: { hold: WorkspaceHold | undefined }): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const clock = useOwnClock();
  const [written, setWritten] = useState<Written>({});
  const params = { path: { workspace_uuid: uuid } };
  const { reason, until } = written;
  return (
    <AsksFirst
      title={hold?.heldAt == null ? texts.hold : texts.changeHold}
      help={texts.holdHelp}
      tone="danger"
      changes={changes}
      onDone={() => setWritten({})}
      act={async () => {
        const now = await answer(api.GET('/w/{workspace_uuid}/workspace-hold', { params }));
        if (!isSame(now, hold)) {
          throw new ProblemError({ status: 412, code: 'precondition_failed', detail: texts.holdChanged });
        }
        // What is not given stays as it is.
        const body = {
          ...(reason === undefined ? {} : { reason: reason.trim() || null }),
          ...(until === undefined ? {} : { until: until === '' ? null : new Date(until).toISOString() }),
        };
        return answer(api.POST('/w/{workspace_uuid}/workspace-hold', { params, body }));
      }}
    >
      <TextAreaField
        label={texts.holdReason}
        pointer="/reason"
        hint={texts.holdReasonHint}
        maxLength={2_000}
        value={reason ?? hold?.reason ?? ''}
        onChange={({ target }) => setWritten({ ...written, reason: target.value })}
      />
      <InputField
        label={texts.holdUntil}
        pointer="/until"
        hint={`${texts.holdUntilHint} ${clock}`}
        type="datetime-local"
        value={until ?? localTime(hold?.until ?? null)}
        onChange={({ target }) => setWritten({ ...written, until: target.value })}
      />
    </AsksFirst>
  );
}

/** Whether nobody has held the workspace, changed the hold or ended it since it was read. */
const isSame = (now: WorkspaceHold, known: WorkspaceHold | undefined): boolean =>
  (['heldAt', 'until', 'reason'] as const).every((field) => now[field] === (known?.[field] ?? null));

/** A time as a field for times has it, by the clock of this computer. */
function localTime(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
