import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { changedByOthers } from '../kit/changed-by-others.js';
import { CopyButton } from '../kit/copy-button.js';
import { Form, SelectField } from '../kit/field.js';
import { MemberName } from '../kit/member-picker.js';
import { More, nextPage } from '../kit/more.js';
import { Status } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { Ago, At } from '../kit/times.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './files.module.css';
import type { Folder, StoredFile } from './queries.js';
import { useFileTexts } from './texts.js';

type Link = Schemas['ShareLinkResponse'];
type Subject = { file: StoredFile } | { folder: Folder };

const days = ['1', '7', '30', '365', 'never'] as const;
const pageSize = 50;
const dayMs = 24 * 60 * 60_000;

/** How links to a file or to a folder are listed, made and revoked. */
function linksOf(uuid: string, of: Subject) {
  if ('file' in of) {
    const path = { workspace_uuid: uuid, file_id: of.file.id };
    return {
      key: ['files', 'one', of.file.id, 'links'],
      list: (page: number) =>
        api.GET('/w/{workspace_uuid}/files/{file_id}/shares', {
          params: { path, query: { page, pageSize } },
        }),
      create: (body: { expiresAt: string | null }) =>
        api.POST('/w/{workspace_uuid}/files/{file_id}/shares', { params: { path }, body }),
      revoke: (link: string) =>
        api.DELETE('/w/{workspace_uuid}/files/{file_id}/shares/{share_uuid}', {
          params: { path: { ...path, share_uuid: link } },
        }),
    };
  }
  const path = { workspace_uuid: uuid, folder_id: of.folder.id };
  return {
    key: ['folders', 'one', of.folder.id, 'links'],
    list: (page: number) =>
      api.GET('/w/{workspace_uuid}/folders/{folder_id}/shares', {
        params: { path, query: { page, pageSize } },
      }),
    create: (body: { expiresAt: string | null }) =>
      api.POST('/w/{workspace_uuid}/folders/{folder_id}/shares', { params: { path }, body }),
    revoke: (link: string) =>
      api.DELETE('/w/{workspace_uuid}/folders/{folder_id}/shares/{share_uuid}', {
        params: { path: { ...path, share_uuid: link } },
      }),
  };
}

/** Where somebody without an account reads what is shared. */
function addressOf(uuid: string, of: Subject): string {
  return 'file' in of
    ? `${location.origin}/api/v2/w/${uuid}/sharing/files/${of.file.id}/contents/${encodeURIComponent(of.file.filename)}`
    : `${location.origin}/shared/${uuid}/folders/${of.folder.id}`;
}

/** The links by which people without an account read a file or a folder. */
export function Links({ of }: { of: Subject }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const { key, list, create, revoke } = linksOf(uuid, of);
  const query = useInfiniteQuery({
    ...changedByOthers,
    queryKey: [uuid, ...key],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => answer<Schemas['ShareLinkPage']>(list(pageParam)),
    getNextPageParam: nextPage,
  });
  const changes = [['files'], ['folders']] as const;
  const address = addressOf(uuid, of);
  const isPublic = ('file' in of ? of.file : of.folder).access === 'public';
  return (
    <>
      {isPublic ? <Address help={texts.publicAddress} address={address} /> : null}
      <p className="quiet">{'file' in of ? texts.linkHelp : texts.folderLinkHelp}</p>
      <NewLink
        address={address}
        create={(expiresAt) => answer<Schemas['NewShareLinkResponse']>(create({ expiresAt }))}
      />
      <Read query={query}>
        {({ pages }) => (
          <ul className={styles.rows} aria-label={texts.links}>
            {pages
              .flatMap(({ items }) => items)
              .map((link) => (
                <LinkItem key={link.uuid} link={link}>
                  {link.isInForce ? (
                    <AsksFirst
                      title={texts.revoke}
                      help={texts.revokeHelp}
                      tone="danger"
                      act={() => answer(revoke(link.uuid))}
                      changes={changes}
                    />
                  ) : null}
                </LinkItem>
              ))}
          </ul>
        )}
      </Read>
      <More query={query} />
    </>
  );
}

interface NewLinkProps {
  address: string;
  create(expiresAt: string | null): Promise<Schemas['NewShareLinkResponse']>;
}

function NewLink({ address, create }: NewLinkProps): ReactNode {
  const texts = useFileTexts();
  const [ends, setEnds] = useState<(typeof days)[number]>('30');
  const creating = useAct(
    () => create(ends === 'never' ? null : new Date(Date.now() + Number(ends) * dayMs).toISOString()),
    ['files'],
    ['folders'],
  );
  return (
    <Form error={creating.error} onSubmit={() => creating.mutate()}>
      <SelectField
        label={texts.expires}
        pointer="/expiresAt"
        value={ends}
        onChange={({ target }) => setEnds(target.value as typeof ends)}
      >
        {days.map((one) => (
          <option key={one} value={one}>
            {texts.expiries[one]}
          </option>
        ))}
      </SelectField>
      <div className="acts">
        <button type="submit" disabled={creating.isPending}>
          {texts.newLink}
        </button>
      </div>
      {creating.data === undefined ? null : (
        <Address help={texts.linkOnce} address={`${address}?token=${creating.data.token}`} />
      )}
    </Form>
  );
}

function Address({ help, address }: { help: string; address: string }): ReactNode {
  return (
    <div role="status" className={styles.address}>
      <p>{help}</p>
      <code>{address}</code>
      <CopyButton text={address} />
    </div>
  );
}

function LinkItem({ link, children }: { link: Link; children: ReactNode }): ReactNode {
  const texts = useFileTexts();
  const { can } = useWorkspace();
  const { createdAt, createdByMemberId: by, expiresAt, revokedAt, isInForce, uses, lastUsedAt } = link;
  return (
    <li>
      <p>
        <Status tone={isInForce ? 'done' : 'quiet'}>
          {isInForce ? texts.inForce : revokedAt === null ? texts.expired : texts.revoked}
        </Status>{' '}
        {texts.created} <Ago at={createdAt} />
        {by === null || !can('members:read') ? null : (
          <>
            {' · '}
            <MemberName id={by} />
          </>
        )}
      </p>
      <p className="quiet">
        {expiresAt === null ? (
          texts.expiries.never
        ) : (
          <>
            {texts.until} <At at={expiresAt} withDay />
          </>
        )}
        {' · '}
        {filled(texts.uses, { count: uses })}
        {lastUsedAt === null ? null : (
          <>
            {', '}
            {texts.lastUsed} <Ago at={lastUsedAt} />
          </>
        )}
      </p>
      {children}
    </li>
  );
}
