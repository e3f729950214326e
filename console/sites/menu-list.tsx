import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Status } from '../kit/page.js';
import { filled } from '../texts/texts.js';
import { type MenuPlace, type MenuRow, placeAfter, placeAt, rowsBeside, type Step } from './menu-places.js';
import type { MenuItem } from './queries.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';

/** How far a level is set in, in pixels. */
const indent = 24;
const steps: Record<string, Step> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };

interface Drag {
  item: MenuItem;
  startX: number;
  startLevel: number;
  /** Where it would be put now; undefined: it has not been moved yet. */
  target?: MenuPlace & { level: number; gap: number };
}

interface Props {
  rows: readonly MenuRow[];
  chosen: number | undefined;
  onChoose(id: number): void;
  /** Undefined: who sees the menu may not change it. */
  onMove: ((id: number, place: MenuPlace) => void) | undefined;
}

/** The items of a menu. One is moved by its handle: dragged, or by the arrow keys. */
export function MenuList({ rows, chosen, onChoose, onMove }: Props): ReactNode {
  const { menu: texts, parts } = useSiteTexts();
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<number>(undefined);
  const [drag, setDrag] = useState<Drag>();
  const others = drag === undefined ? rows : rowsBeside(rows, drag.item);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser drops the focus of what changes its place.
  useEffect(() => {
    const handle = list.current?.querySelector<HTMLElement>(`[data-handle="${focused.current}"]`);
    if (document.activeElement === document.body) handle?.focus();
  }, [rows]);

  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (drag === undefined) return;
    const middles = others.map(({ item }) => {
      const box = list.current?.querySelector(`[data-item="${item.id}"]`)?.getBoundingClientRect();
      return box === undefined ? 0 : box.top + box.height / 2;
    });
    const gap = middles.filter((middle) => middle < clientY).length;
    const isRightToLeft = getComputedStyle(document.body).direction === 'rtl';
    const moved = Math.round(((clientX - drag.startX) / indent) * (isRightToLeft ? -1 : 1));
    setDrag({ ...drag, target: { gap, ...placeAt(others, gap, drag.item, drag.startLevel + moved) } });
  };
  const onDrop = () => {
    setDrag(undefined);
    if (drag?.target === undefined) return;
    const { parentId, position } = drag.target;
    const before = rows.find(({ item }) => item.id === drag.item.id);
    if (parentId === drag.item.parentId && position === before?.position) return;
    onMove?.(drag.item.id, { parentId, position });
  };
  const handleOf = ({ item, level }: MenuRow) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ item, startX: event.clientX, startLevel: level });
    },
    onPointerMove,
    onPointerUp: onDrop,
    onPointerCancel: () => setDrag(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(undefined);
      const step = steps[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const place = placeAfter(rows, item.id, step);
      focused.current = item.id;
      if (place !== undefined) onMove?.(item.id, place);
    },
  });
  const targetRow = drag?.target && others[drag.target.gap]?.item.id;
  const isAtEnd = drag?.target !== undefined && targetRow === undefined;
  return (
    <ul
      ref={list}
      className={styles.menu}
      aria-label={parts.menu}
      data-drop={isAtEnd ? drag.target?.level : undefined}
    >
      {rows.map((row) => {
        const { item, level } = row;
        const above = rows.find((one) => one.item.id === item.parentId)?.item.label;
        return (
          <li
            key={item.id}
            data-item={item.id}
            data-level={level}
            data-drop={item.id === targetRow ? drag?.target?.level : undefined}
            data-dragged={drag !== undefined && !others.includes(row)}
            data-chosen={item.id === chosen}
          >
            {onMove === undefined ? null : (
              <button
                type="button"
                className={styles.handle}
                data-handle={item.id}
                aria-label={filled(texts.moveItem, { label: item.label })}
                title={texts.moveHint}
                {...handleOf(row)}
              >
                <span aria-hidden="true">⠿</span>
              </button>
            )}
            <button
              type="button"
              className="link"
              aria-pressed={item.id === chosen}
              onClick={() => onChoose(item.id)}
            >
              <span dir="auto">{item.label}</span>
            </button>
            {above === undefined ? null : <span className="unseen">{filled(texts.below, { above })}</span>}
            <span className={styles.target} dir="auto">
              {item.itemType === 'page' ? (item.pageTitle ?? '') : (item.url ?? '')}
            </span>
            {item.isActive ? null : <Status>{texts.isHidden}</Status>}
          </li>
        );
      })}
    </ul>
  );
}
