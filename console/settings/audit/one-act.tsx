import type { ComponentType, ReactNode } from 'react';
import { Facts } from '../../kit/page.js';
import { Panel } from '../../kit/panel.js';
import { At } from '../../kit/times.js';
import { filled } from '../../texts/texts.js';
import { type AuditEvent, actionText } from './actions.js';
import { useAuditTexts } from './texts.js';

interface Props {
  event: AuditEvent;
  /** The page of what was acted on, if there is one. */
  place: string | undefined;
  /** The name of who acted. */
  Who: ComponentType<{ id: number }>;
  onClose(): void;
}

/** All that is known of one act. */
export function OneAct({ event, place, Who, onClose }: Props): ReactNode {
  const texts = useAuditTexts();
  const { actorMemberId, credentialKind, credentialId, names, count, address, userAgent, requestId } = event;
  return (
    <Panel title={actionText(event.action, texts)} onClose={onClose}>
      <Facts
        facts={[
          [texts.when, <At key="when" at={event.createdAt} withDay />],
          [texts.who, actorMemberId === null ? texts.nobody : <Who key="who" id={actorMemberId} />],
          [
            texts.credential,
            credentialKind === null
              ? null
              : `${texts.credentials[credentialKind] ?? credentialKind}${credentialId === null ? '' : ` #${credentialId}`}`,
          ],
          [texts.about, <Subject key="about" event={event} place={place} />],
          [texts.names, names.length === 0 ? null : <Names key="names" names={names} />],
          [texts.count, count === 1 ? null : filled(texts.atLeast, { count })],
          [texts.address, address],
          [texts.program, userAgent],
          [texts.request, requestId === null ? null : <code key="request">{requestId}</code>],
        ]}
      />
    </Panel>
  );
}

function Subject({ event, place }: Pick<Props, 'event' | 'place'>): ReactNode {
  const texts = useAuditTexts();
  const { subjectType, subjectId } = event;
  if (subjectType === null) return texts.things.workspace;
  const name = `${texts.things[subjectType] ?? subjectType}${subjectId === null ? '' : ` #${subjectId}`}`;
  return place === undefined ? name : <a href={place}>{name}</a>;
}

/** Names of fields; of permissions, which were given and which were taken. */
function Names({ names }: { names: readonly string[] }): ReactNode {
  const texts = useAuditTexts();
  const withSign = (sign: string) =>
    names.filter((name) => name.startsWith(sign)).map((name) => name.slice(1));
  const plain = names.filter((name) => !/^[+-]/.test(name));
  return (
    <>
      {plain.join(', ')}
      {(['+', '-'] as const).map((sign) => {
        const signed = withSign(sign);
        return signed.length === 0 ? null : (
          <div key={sign}>
            {filled(sign === '+' ? texts.gained : texts.lost, { names: signed.join(', ') })}
          </div>
        );
      })}
    </>
  );
}
