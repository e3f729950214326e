import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { answer, api, taggedAnswer } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { Form } from '../kit/field.js';
import { Section } from '../kit/page.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { blankItem, type ItemValues, MenuItemFields } from './menu-item-fields.js';
import { type MenuPlace, type MenuRow, placeAfter } from './menu-places.js';
import { type MenuItem, pathOf } from './queries.js';
import { SaveBar } from './save-bar.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import { useFieldsForm } from './use-fields-form.js';
import type { OpenSite } from './with-site.js';

interface Props {
  open: OpenSite;
  rows: readonly MenuRow[];
  /** Undefined: a new one. */
  item: MenuItem | undefined;
  onMove(id: number, place: MenuPlace): void;
  /** What is chosen next. */
  onDone(id: number | undefined): void;
}

/** What an item of a menu says, and where it leads. */
export function MenuItemForm({
  open: { at, site, mayChange },
  rows,
  item,
  onMove,
  onDone,
}: Props): ReactNode {
  const { menu: texts } = useSiteTexts();
  const queries = useQueryClient();
  const { me } = useWorkspace();
  const { header, settled } = useRequestKey();
  const madeId = useRef<number>(undefined);
  const path = { ...pathOf(at), menu_item_id: item?.id ?? 0 };
  const form = useFieldsForm<ItemValues>({
    place: `${at.uuid}:${me.id}:menu:${at.siteId}:${item?.id ?? 'new'}`,
    stored: item ?? blankItem,
    read: async () =>
      item === undefined
        ? { body: blankItem, etag: '' }
        : taggedAnswer(
            api.GET('/w/{workspace_uuid}/sites/{site_id}/menu/items/{menu_item_id}', { params: { path } }),
          ),
    write: async ({ pageTitle: _, ...changes }, etag) => {
      if (item !== undefined) {
        return answer(
          api.PUT('/w/{workspace_uuid}/sites/{site_id}/menu/items/{menu_item_id}', {
            params: { path, header: { 'If-Match': etag } },
            body: changes,
          }),
        );
      }
      const { pageTitle: __, ...values } = { ...blankItem, ...changes };
      const made = await settled(
        answer(
          api.POST('/w/{workspace_uuid}/sites/{site_id}/menu/items', {
            params: { path: pathOf(at), header },
            body: values,
          }),
        ),
      );
      madeId.current = made.id;
      return made;
    },
    onSaved: async () => {
      await queries.invalidateQueries({ queryKey: [at.uuid, 'sites', at.siteId, 'menu'] });
      if (madeId.current !== undefined) onDone(madeId.current);
    },
  });
  return (
    <div className={styles.watched}>
      <Section title={item?.label ?? texts.create}>
        {item !== undefined && mayChange ? <Steps rows={rows} item={item} onMove={onMove} /> : null}
        <Form error={form.error} onSubmit={form.save}>
          <fieldset className={styles.plain} disabled={!mayChange}>
            <MenuItemFields open={{ at, site }} value={form.value} change={form.change} />
          </fieldset>
          {mayChange ? <SaveBar form={form} /> : null}
        </Form>
        {item !== undefined && mayChange ? (
          <div>
            <AsksFirst
              title={texts.remove}
              help={filled(item.children.length > 0 ? texts.removeAllHelp : texts.removeHelp, {
                label: item.label,
              })}
              tone="danger"
              changes={[['sites', at.siteId, 'menu']]}
              act={async () => {
                await answer(
                  api.DELETE('/w/{workspace_uuid}/sites/{site_id}/menu/items/{menu_item_id}', {
                    params: { path },
                  }),
                );
                form.drop();
                onDone(undefined);
              }}
            />
          </div>
        ) : null}
      </Section>
    </div>
  );
}

/** The moves of an item for who does not drag. */
function Steps({
  rows,
  item,
  onMove,
}: {
  rows: readonly MenuRow[];
  item: MenuItem;
  onMove: Props['onMove'];
}): ReactNode {
  const { menu: texts } = useSiteTexts();
  return (
    <fieldset className={styles.steps}>
      <legend>{texts.move}</legend>
      {(['up', 'down', 'in', 'out'] as const).map((step) => {
        const place = placeAfter(rows, item.id, step);
        return (
          <button
            key={step}
            type="button"
            disabled={place === undefined}
            onClick={() => place !== undefined && onMove(item.id, place)}
          >
            {texts.steps[step]}
          </button>
        );
      })}
    </fieldset>
  );
}
