import { useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../kit/api.js';
import { useWorkspace } from '../kit/workspace.js';
import { pathOf, type Site, siteQuery } from './queries.js';
import { type FieldsForm, useFieldsForm } from './use-fields-form.js';
import type { OpenSite } from './with-site.js';

export type SiteForm = FieldsForm<Site>;

/** Fields of a site. @param part of them, which has a draft of its own */
export function useSiteForm(part: string, { at, site }: OpenSite): SiteForm {
  const queries = useQueryClient();
  const { me } = useWorkspace();
  return useFieldsForm<Site>({
    place: `${at.uuid}:${me.id}:site:${at.siteId}:${part}`,
    stored: site,
    read: () => queries.fetchQuery({ ...siteQuery(at), staleTime: 0 }),
    write: ({ ownerId, ...changes }, etag) =>
      answer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}', {
          params: { path: pathOf(at), header: { 'If-Match': etag } },
          body: { ...changes, ownerId: ownerId ?? undefined },
        }),
      ),
    onSaved: () => queries.invalidateQueries({ queryKey: [at.uuid, 'sites'] }),
  });
}
