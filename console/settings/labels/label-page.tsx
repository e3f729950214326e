import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isGone } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ChangesForm } from '../../kit/changes-form.js';
import { Facts } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled, useLocale } from '../../texts/texts.js';
import { SectionPage } from '../section-page.js';
import { useSettingsTexts } from '../texts.js';
import { LabelFields } from './label-fields.js';
import {
  changedBy,
  deleteLabel,
  type Label,
  type LabelKind,
  labelKinds,
  labelledQuery,
  labelQuery,
  permissionOf,
  readLabel,
  updateLabel,
} from './queries.js';
import { useLabelTexts } from './texts.js';

const mayCount = { member: 'members:read', chat: 'chats:read', file: 'files:read' } as const;

/** One label, with how many have it. */
export function LabelPage(): ReactNode {
  const texts = useLabelTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const params = useParams({ from: '/w/$workspace/settings/labels/$kind/$labelId' });
  const kind = labelKinds.find((one) => one === params.kind) ?? 'member';
  const query = useQuery(labelQuery(uuid, kind, Number(params.labelId)));
  const { data, error } = query;
  const mayChange = can(permissionOf[kind]);
  return (
    <SectionPage
      isForm
      title={data?.name ?? sections.labels.name}
      above={
        <Link to="/w/$workspace/settings/labels" params={{ workspace: uuid }} search={{ kind }}>
          {texts.kinds[kind]}
        </Link>
      }
      acts={
        data !== undefined && mayChange && !isGone(error) ? (
          <DeleteLabel kind={kind} label={data} />
        ) : undefined
      }
    >
      {isGone(error) ? (
        <p>{texts.gone}</p>
      ) : (
        <Read query={query}>
          {(label) => (
            <>
              <Labelled kind={kind} label={label} />
              <ChangesForm
                key={label.id}
                place={`${kind}-label.${label.id}`}
                stored={label}
                mayChange={mayChange}
                read={() => readLabel(uuid, kind, label.id)}
                save={(changes) => updateLabel(uuid, kind, label.id, changes)}
                reads={changedBy(kind)}
              >
                {(value, change) => <LabelFields kind={kind} value={value} withSlug onChange={change} />}
              </ChangesForm>
            </>
          )}
        </Read>
      )}
    </SectionPage>
  );
}

interface LabelProps {
  kind: LabelKind;
  label: Label;
}

/** How many have the label, in words; undefined where one may not know. */
function useCount({ kind, label }: LabelProps): string | undefined {
  const locale = useLocale();
  const { uuid, can } = useWorkspace();
  const { data } = useQuery({ ...labelledQuery(uuid, kind, label), enabled: can(mayCount[kind]) });
  if (data === undefined) return undefined;
  return `${data.total.toLocaleString(locale)}${data.totalIsExact === false ? '+' : ''}`;
}

function Labelled({ kind, label }: LabelProps): ReactNode {
  const texts = useLabelTexts();
  const { uuid } = useWorkspace();
  const count = useCount({ kind, label });
  if (count === undefined) return null;
  const shown =
    kind === 'member' ? (
      <Link to="/w/$workspace/members" params={{ workspace: uuid }} search={{ label: label.slug }}>
        {count}
      </Link>
    ) : kind === 'file' ? (
      <Link to="/w/$workspace/files" params={{ workspace: uuid }} search={{ label: label.id, all: true }}>
        {count}
      </Link>
    ) : (
      count
    );
  return <Facts facts={[[texts.has[kind], shown]]} />;
}

function DeleteLabel({ kind, label }: LabelProps): ReactNode {
  const texts = useLabelTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const count = useCount({ kind, label });
  return (
    <AsksFirst
      title={texts.remove}
      help={count === undefined ? texts.removeHelpUncounted : filled(texts.removeHelp, { count })}
      tone="danger"
      changes={changedBy(kind)}
      act={async () => {
        await deleteLabel(uuid, kind, label.id);
        // Before everything is read again: this label is gone.
        await navigate({
          to: '/w/$workspace/settings/labels',
          params: { workspace: uuid },
          search: { kind },
        });
      }}
    />
  );
}
