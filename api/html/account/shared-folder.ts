import { getSharedFolder } from '../../../domain/files/sharing/shared-files.js';
import { NotFound } from '../../../domain/lib/errors.js';
import { isUuid } from '../../auth/authenticate-member.js';
import { html } from '../../http/html.js';
import { answerPage } from './page.js';
import type { Page, VisitorRequest } from './page-request.js';
import { table } from './tables.js';
import { filled } from './texts/language.js';
import { day } from './times.js';

const filesOnPage = 100;
const idForm = /^[1-9]\d{0,15}$/;

/** What a link to a folder shows a person; programs read the same at the sharing endpoints. */
export const sharedFolderPages: readonly Page[] = [
  { for: 'anyone', path: '/shared/:workspace/folders/:folder', get: showFolder },
];

/** Who is signed in is not looked at: the page has what everybody reads who has its address. */
async function showFolder({ ctx, context, language }: VisitorRequest): Promise<void> {
  const { workspace: workspaceUuid = '', folder: folderId = '' } = ctx.params as Record<string, string>;
  const { token, page: asked } = ctx.query;
  if (!isUuid(workspaceUuid) || !idForm.test(folderId)) throw new NotFound('Folder');
  const workspace = await context.db.identity.workspaces.findByUuid(workspaceUuid.toLowerCase());
  if (workspace === undefined) throw new NotFound('Folder');
  const number = typeof asked === 'string' && /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
  const { folder, files } = await getSharedFolder(
    { ...context, workspaceId: workspace.id, workspaceUuid: workspace.uuid, actor: undefined },
    Number(folderId),
    {
      token: typeof token === 'string' ? token : undefined,
      page: { page: number, pageSize: filesOnPage },
    },
  );
  const { texts, locale } = language;
  const shared = `/api/v2/w/${workspace.uuid}/sharing/files`;
  const query = typeof token === 'string' ? { token } : {};
  const withToken = 'token' in query ? `?${new URLSearchParams(query)}` : '';
  const size = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte' });
  const rows = files.items.map(({ id, title, filename, fileSize, updatedAt }) => [
    html`<a href="${shared}/${id}/contents/${encodeURIComponent(filename)}${withToken}" dir="auto">${title}</a>`,
    size.format(Math.ceil(fileSize / 1_000)),
    day(updatedAt, language),
  ]);
  const toPage = (to: number, text: string) =>
    html`<a href="?${String(new URLSearchParams({ ...query, page: String(to) }))}" class="button quiet">${text}</a> `;
  const pages = Math.ceil(files.total / filesOnPage);
  answerPage(ctx, {
    title: folder.name,
    language,
    content: html`${folder.description === null ? undefined : html`<p dir="auto">${folder.description}</p>`}
${
  files.total === 0
    ? html`<p>${texts.noSharedFiles}</p>`
    : table(filled(texts.sharedFiles, { count: files.total }), [texts.file, texts.size, texts.changed], rows)
}
<p class="acts">${number > 1 ? toPage(number - 1, texts.previousPage) : undefined}${number < pages ? toPage(number + 1, texts.nextPage) : undefined}</p>`,
  });
}
