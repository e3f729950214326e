import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Read } from '../kit/read.js';
import { useAct } from '../kit/use-act.js';
import { filled } from '../texts/texts.js';
import { MenuItemForm } from './menu-item-form.js';
import { MenuList } from './menu-list.js';
import { type MenuPlace, rowsOf } from './menu-places.js';
import { type MenuItem, menuQuery, pathOf } from './queries.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import { type OpenSite, WithSite } from './with-site.js';

/** The menu of a site. */
export function MenuPage(): ReactNode {
  return <WithSite>{(open) => <MenuOfSite key={open.site.id} open={open} />}</WithSite>;
}

function MenuOfSite({ open }: { open: OpenSite }): ReactNode {
  const menu = useQuery(menuQuery(open.at));
  return <Read query={menu}>{({ items }) => <Menu open={open} items={items} />}</Read>;
}

function Menu({ open, items }: { open: OpenSite; items: readonly MenuItem[] }): ReactNode {
  const { menu: texts } = useSiteTexts();
  const { at, mayChange } = open;
  const [chosen, setChosen] = useState<number | 'new'>();
  const [told, setTold] = useState('');
  const rows = rowsOf(items);
  const move = useAct(
    ({ id, place }: { id: number; place: MenuPlace }) =>
      answer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}/menu/items/{menu_item_id}', {
          params: { path: { ...pathOf(at), menu_item_id: id } },
          body: place,
        }),
      ),
    ['sites', at.siteId, 'menu'],
  );
  const moveTo = (id: number, place: MenuPlace) => {
    if (move.isPending) return;
    move.mutate(
      { id, place },
      {
        onSuccess: ({ label, parentId, position }) => {
          const above = rows.find(({ item }) => item.id === parentId)?.item.label;
          const text = above === undefined ? texts.moved : texts.movedBelow;
          setTold(filled(text, { label, place: position + 1, above: above ?? '' }));
        },
      },
    );
  };
  const item = rows.find((row) => row.item.id === chosen)?.item;
  return (
    <div className={styles.beside}>
      <div className={styles.list}>
        {rows.length === 0 ? <p className="quiet">{texts.none}</p> : null}
        <MenuList
          rows={rows}
          chosen={item?.id}
          onChoose={setChosen}
          onMove={mayChange ? moveTo : undefined}
        />
        <p role="status" className="unseen">
          {told}
        </p>
        <ErrorNotice error={move.error} />
        {mayChange ? (
          <button type="button" className={styles.start} onClick={() => setChosen('new')}>
            {texts.create}
          </button>
        ) : null}
      </div>
      {chosen === 'new' || item !== undefined ? (
        <MenuItemForm key={chosen} open={open} rows={rows} item={item} onMove={moveTo} onDone={setChosen} />
      ) : null}
    </div>
  );
}
